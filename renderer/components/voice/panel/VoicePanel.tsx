import { useEffect, useRef } from "react";
import type { AppInfo } from "../../../../shared/ipc/setting-routes.ts";
import { keyLabel, voiceLabel } from "../../../state/conversation/wording.ts";
import { useStore } from "../../../state/store.ts";
import type { ShownView } from "../../../state/voice/shown-view.ts";
import { texts } from "../../../texts/texts.ts";
import { QueueList } from "../../composer/queue/QueueList.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useWindowState } from "../../window/window-context.ts";
import { ListeningSettings } from "./ListeningSettings.tsx";
import { ModelList } from "./ModelList.tsx";
import { PrivacySettings } from "./PrivacySettings.tsx";
import { RepairOffer, RepairSettings } from "./RepairSettings.tsx";
import { SpeakingSettings } from "./SpeakingSettings.tsx";
import { SpokenList } from "./SpokenList.tsx";
import { TalkSettings } from "./TalkSettings.tsx";
import { TurnTimes } from "./TurnTimes.tsx";
import { VoiceEntries } from "./VoiceEntries.tsx";
import { VoiceNow } from "./VoiceNow.tsx";
import styles from "./VoicePanel.module.css";
import { WordsSettings } from "./WordsSettings.tsx";

/** Everything about voice in one place: what is heard now, what was, how long it took, and how it is set. */
export function VoicePanel({ view, info }: { view: ShownView | null; info: AppInfo | null }) {
  const windowState = useWindowState();
  const { voicePanel } = windowState;
  const panel = useStore(voicePanel.snapshot);
  const isOpen = useStore(voicePanel.isOpen);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.focus();
  }, [isOpen]);
  if (!panel) return <aside className={styles.voicePanel} aria-label={texts.voice.voice} />;
  const { settings } = panel;
  const queue = view?.queue.filter(({ isHeld }) => !isHeld) ?? [];
  return (
    <aside
      ref={place}
      className={styles.voicePanel}
      data-testid="voice-panel"
      aria-label={texts.voice.voice}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        voicePanel.toggle();
      }}
    >
      <div className={styles.panelHead}>
        <h2>{texts.voice.voice}</h2>
        <span className="sp" />
        <span className={styles.quiet}>{voiceLabel(panel.now)}</span>
        <button
          type="button"
          className="btn icon ghost"
          aria-label={texts.voicePanel.close}
          title={texts.voicePanel.closeTitle(keyLabel(info?.platform, "L", true))}
          onClick={voicePanel.toggle}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      <VoiceNow panel={panel} view={view} />
      {panel.stopWordsHint !== null && (
        <p className="hint" data-testid="stop-words-hint">
          {panel.stopWordsHint}
        </p>
      )}
      {queue.length > 0 && (
        <section>
          <h3>{texts.voicePanel.queued}</h3>
          <QueueList
            queue={queue}
            onDrop={windowState.drop}
            onSend={windowState.sendNow}
            onEdit={windowState.editInput}
            onTakeBack={windowState.history.takeBackRepair}
            onLeft={() => windowState.focusWanted.emit()}
          />
        </section>
      )}
      <TurnTimes turn={panel.turn} />
      <RepairOffer repair={panel.repair} choice={settings["voice.repair"]} set={voicePanel.set} />
      <VoiceEntries entries={panel.entries} onSendAnyway={windowState.sendAnyway} />
      <SpokenList wanted={voicePanel.spokenWanted} />
      <TalkSettings settings={settings} set={voicePanel.set} talkHint={panel.talkHint} />
      <RepairSettings repair={panel.repair} settings={settings} set={voicePanel.set} />
      <ListeningSettings settings={settings} set={voicePanel.set} />
      <WordsSettings settings={settings} set={voicePanel.set} />
      <SpeakingSettings settings={settings} set={voicePanel.set} />
      <ModelList
        chosen={settings["voice.model"]}
        voice={settings["voice.voice"]}
        language={settings["voice.language"]}
      />
      <PrivacySettings panel={panel} set={voicePanel.set} />
    </aside>
  );
}
