import { useEffect, useState } from "react";
import type { AppInfo } from "../../shared/ipc.ts";
import type { ConversationView } from "../../shared/transcript.ts";
import { useStore } from "../state/store.ts";
import { isOn, type VoiceSource } from "../state/window-state.ts";
import { ApprovalList } from "./ApprovalList.tsx";
import { Composer } from "./Composer.tsx";
import { ErrorCard } from "./ErrorCard.tsx";
import { HeldList } from "./HeldList.tsx";
import { Icon } from "./Icon.tsx";
import { QueueList } from "./QueueList.tsx";
import { RowActionsContext } from "./row-actions.ts";
import { SpeechState } from "./SpeechState.tsx";
import { SteeringList } from "./SteeringList.tsx";
import { VoiceBar } from "./VoiceBar.tsx";
import { VoiceControls } from "./VoiceControls.tsx";
import { VoiceElsewhere } from "./VoiceElsewhere.tsx";
import { useWindow } from "./window-context.ts";

interface DockProps {
  view: ConversationView;
  info: AppInfo | null;
  source: VoiceSource;
  onSource: (source: VoiceSource) => void;
  onToggleVoice: () => void;
}

/** All that stays at the bottom: failures, voice, what waits, and the text box. */
export function Dock({ view, info, source, onSource, onToggleVoice }: DockProps) {
  const window = useWindow();
  const failure = useStore(window.failure);
  const focusRequest = useStore(window.focusRequests);
  const insertion = useStore(window.insertion);
  const approvalRequest = useStore(window.approvalRequests);
  const id = view.conversationId;
  const [draft] = useState(() => ({
    get: () => window.drafts.get(id),
    set: (text: string) => window.drafts.set(id, text),
    flush: () => window.drafts.flush(id),
  }));
  useEffect(() => draft.flush, [draft]);
  return (
    <footer className="dock">
      <div className="col">
        {failure && (
          <div role="alert">
            <ErrorCard error={failure}>
              <button
                type="button"
                className="btn icon ghost"
                aria-label="Dismiss"
                title="Dismiss"
                onClick={() => window.failure.set(null)}
              >
                <Icon name="close" size={14} />
              </button>
            </ErrorCard>
          </div>
        )}
        <RowActionsContext value={window}>
          <ApprovalList items={view.items} focusRequest={approvalRequest} />
        </RowActionsContext>
        <SpeechState speech={view.voice.speech} onStop={() => void window.say("")} />
        <VoiceElsewhere shownId={id} />
        <VoiceBar
          voice={view.voice}
          level={window.level}
          platform={info?.platform}
          onStart={() => void window.startVoice(source)}
        />
        <SteeringList steering={view.steering} />
        <HeldList
          held={view.queue.filter(({ isHeld }) => isHeld)}
          onSend={window.sendHeld}
          onEdit={(inputId, text) => void window.editHeld(inputId, text)}
          onDrop={window.drop}
        />
        <QueueList queue={view.queue.filter(({ isHeld }) => !isHeld)} onDrop={window.drop} />
        <Composer
          draft={draft}
          commands={info?.commands ?? []}
          isRunning={isBusy(view)}
          onSubmit={window.submit}
          onSteer={window.steer}
          onStop={window.abort}
          focusRequest={focusRequest}
          insertion={insertion}
        >
          <VoiceControls
            state={view.voice.state}
            source={
              isOn(view.voice.state) && view.voice.source !== "file" ? (view.voice.source ?? source) : source
            }
            platform={info?.platform}
            onToggle={onToggleVoice}
            onSource={onSource}
          />
        </Composer>
      </div>
    </footer>
  );
}

/** Whether there is a run to stop. */
export const isBusy = (view: ConversationView): boolean =>
  view.state === "processing" || view.state === "awaiting_input";
