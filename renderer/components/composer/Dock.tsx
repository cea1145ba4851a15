import { useEffect, useState } from "react";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type { AppInfo } from "../../../shared/ipc.ts";
import { useStore } from "../../state/store.ts";
import { isOn, type VoiceSource } from "../../state/window-state.ts";
import { ApprovalList } from "../approvals/ApprovalList.tsx";
import { TrustPlace } from "../approvals/TrustCard.tsx";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { ErrorCard } from "../transcript/ErrorCard.tsx";
import { Icon } from "../ui/Icon.tsx";
import { SpeechState } from "../voice/SpeechState.tsx";
import { VoiceBar } from "../voice/VoiceBar.tsx";
import { VoiceControls } from "../voice/VoiceControls.tsx";
import { VoiceElsewhere } from "../voice/VoiceElsewhere.tsx";
import { useWindow } from "../window/window-context.ts";
import { Composer } from "./Composer.tsx";
import { HeldList } from "./HeldList.tsx";
import { QueueList } from "./QueueList.tsx";
import { ReviewList } from "./ReviewList.tsx";
import { SteeringList } from "./SteeringList.tsx";

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
  const { desk } = window;
  const { servers } = useStore(window.servers.view);
  const commands = [...(info?.commands ?? []), ...servers.flatMap(({ prompts }) => prompts)];
  const panel = useStore(desk.panel);
  const isPanelOpen = useStore(desk.isOpen);
  const dictated = useStore(desk.dictated);
  const hasApprovals = view.items.some((item) => item.kind === "approval" && item.status === "waiting");
  const held = view.queue.filter(({ isHeld }) => isHeld);
  const isSpoken = ({ origin }: QueuedInput) => origin === "voice";
  const id = view.conversationId;
  const [draft] = useState(() => ({
    get: () => window.drafts.get(id),
    set: (text: string) => window.drafts.set(id, text),
    attached: () => window.drafts.attached(id),
    attach: (attached: readonly AttachmentChoice[]) => window.drafts.attach(id, attached),
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
        <TrustPlace trust={window.trust} focusRequest={approvalRequest} isFirst={!hasApprovals} />
        <RowActionsContext value={window}>
          <ApprovalList
            items={view.items}
            focusRequest={approvalRequest}
            isListening={isOn(view.voice.state) && view.voice.source !== "loopback"}
          />
        </RowActionsContext>
        <SpeechState speech={view.voice.speech} onStop={() => void window.say("")} />
        <VoiceElsewhere shownId={id} />
        <VoiceBar
          voice={view.voice}
          level={window.level}
          platform={info?.platform}
          panel={panel}
          onStart={() => void window.startVoice(source)}
          onMute={desk.mute}
          onAsk={desk.ask}
          onSystemSettings={desk.openSystemSettings}
        />
        <SteeringList steering={view.steering} />
        <ReviewList
          heard={held.filter(isSpoken)}
          onSend={window.sendNow}
          onEdit={window.editInput}
          onDrop={window.drop}
        />
        <HeldList
          held={held.filter((input) => !isSpoken(input))}
          onSend={window.sendNow}
          onEdit={(inputId, text) => void window.editHeld(inputId, text)}
          onDrop={window.drop}
        />
        {/* The panel has them while it is open. */}
        {!isPanelOpen && (
          <QueueList
            queue={view.queue.filter(({ isHeld }) => !isHeld)}
            onDrop={window.drop}
            onSend={window.sendNow}
            onEdit={window.editInput}
          />
        )}
        <Composer
          draft={draft}
          commands={commands}
          isRunning={isBusy(view)}
          onSubmit={window.submit}
          onFindAttachments={window.findAttachments}
          onSteer={window.steer}
          onStop={window.abort}
          focusRequest={focusRequest}
          insertion={insertion}
          partial={view.voice.isDictating ? (view.voice.partial?.text ?? null) : null}
          dictated={dictated}
        >
          <VoiceControls
            state={view.voice.state}
            source={
              isOn(view.voice.state) && view.voice.source !== "file" ? (view.voice.source ?? source) : source
            }
            platform={info?.platform}
            isDictating={view.voice.isDictating ?? false}
            onDictate={() => {
              desk.toggleDictation();
              // What is dictated is corrected by hand: the keyboard belongs into the text box.
              window.focusRequests.set(window.focusRequests.get() + 1);
            }}
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
