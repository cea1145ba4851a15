import { useState } from "react";
import type { AppInfo } from "../../shared/ipc.ts";
import type { ConversationView } from "../../shared/transcript.ts";
import { useStore } from "../state/store.ts";
import { isOn, type VoiceSource } from "../state/window-state.ts";
import { Composer } from "./Composer.tsx";
import { ErrorCard } from "./ErrorCard.tsx";
import { Icon } from "./Icon.tsx";
import { QueueList } from "./QueueList.tsx";
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
  const id = view.conversationId;
  const [draft] = useState(() => ({
    get: () => window.drafts.get(id) ?? "",
    set: (text: string) => {
      window.drafts.set(id, text);
    },
  }));
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
        <SpeechState speech={view.voice.speech} onStop={() => void window.say("")} />
        <VoiceElsewhere shownId={id} />
        <VoiceBar
          voice={view.voice}
          level={window.level}
          platform={info?.platform}
          onStart={() => void window.startVoice(source)}
        />
        <SteeringList steering={view.steering} />
        <QueueList queue={view.queue} onDrop={window.drop} />
        <Composer
          draft={draft}
          commands={info?.commands ?? []}
          isRunning={isBusy(view)}
          onSubmit={window.submit}
          onSteer={window.steer}
          onStop={window.abort}
          focusRequest={focusRequest}
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
