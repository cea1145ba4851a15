import { useEffect } from "react";
import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { waitsForUser } from "../../state/page-state.ts";
import { runningParts } from "../../state/panel/running-parts.ts";
import { useStore } from "../../state/store.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";
import { isBusy } from "../composer/Dock.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import { ContextSection } from "./ContextSection.tsx";
import { FilesSection } from "./FilesSection.tsx";
import { MeetingSection } from "./MeetingSection.tsx";
import { RunningSection } from "./RunningSection.tsx";
import styles from "./SidePanel.module.css";
import { TasksSection } from "./TasksSection.tsx";
import { VoiceSection } from "./VoiceSection.tsx";

const t = texts.panel;

interface SidePanelProps {
  view: ShownView | null;
  /** As it is pressed, such as `Ctrl+.`. */
  panelKey: string;
  onClose: () => void;
}

/** What is known for certain about the conversation that is shown. A section without content is not there. */
export function SidePanel({ view, panelKey, onClose }: SidePanelProps) {
  const { panel, servers, voicePanel } = useWindowState();
  const voice = useStore(voicePanel.snapshot);
  const context = useStore(panel.context);
  const changes = useStore(panel.changes);
  const running = useStore(servers.view).servers.filter(isUp);
  useEffect(() => panel.watch(), [panel]);
  const parts = view ? runningParts(view) : [];
  const tasks = view?.tasks ?? [];
  const now = view?.voice.now;
  const hasMeeting =
    view !== null &&
    ((now && isOn(now) && now.source === "both") || view.items.some(({ kind }) => kind === "said"));
  const isVoiceOn = now !== undefined && isOn(now);
  const isEmpty =
    !isVoiceOn &&
    !context &&
    changes.files.length + tasks.length + parts.length + running.length === 0 &&
    !hasMeeting;
  return (
    <aside className={styles.right} aria-label={t.label} data-testid="side-panel" tabIndex={-1}>
      <button
        type="button"
        className={`btn icon ghost ${styles.close}`}
        title={t.hide(panelKey)}
        aria-label={t.hide(panelKey)}
        onClick={onClose}
      >
        <Icon name="close" size={16} />
      </button>
      {voice && isVoiceOn && <VoiceSection now={now} voice={voice} />}
      {context && <ContextSection facts={context} />}
      {view && changes.files.length > 0 && <FilesSection changes={changes} isBusy={isBusy(view)} />}
      {view && (
        <TasksSection
          tasks={tasks}
          isRunning={view.state === "processing"}
          isWaiting={view.items.some(waitsForUser)}
        />
      )}
      {parts.length + running.length > 0 && <RunningSection parts={parts} running={running} />}
      {view && hasMeeting && <MeetingSection conversationId={view.conversationId} items={view.items} />}
      {isEmpty && <p className={styles.empty}>{t.empty}</p>}
    </aside>
  );
}

/** Whether there is something to show, or soon will be: what a conversation costs is told with its first reply. */
export function useIsPanelFilled(view: ShownView | null): boolean {
  const { servers } = useStore(useWindowState().servers.view);
  return view !== null && (view.items.length > 0 || isOn(view.voice.now) || servers.some(isUp));
}

const isUp = ({ state }: { state: string }) => state === "ready" || state === "starting";
