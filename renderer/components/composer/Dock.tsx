import { useEffect, useMemo, useState } from "react";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { askedIn } from "../../state/composer/recall.ts";
import { windowKeyLabel } from "../../state/keys/key-sheet.ts";
import { waitingQuestion } from "../../state/page-state.ts";
import { waitingIn } from "../../state/sessions/waiting.ts";
import { useStore } from "../../state/store.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { TrustPlace } from "../approvals/TrustCard.tsx";
import { WaitBar } from "../approvals/WaitBar.tsx";
import { MeetingGoes, MeetingQuestions } from "../meeting/MeetingAsk.tsx";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useMedia } from "../ui/use-media.ts";
import { LearnedWords } from "../voice/LearnedWords.tsx";
import { SpeechOfferList } from "../voice/SpeechOfferList.tsx";
import { SpeechState } from "../voice/SpeechState.tsx";
import { VoiceBar, willSend } from "../voice/VoiceBar.tsx";
import { VoiceControls } from "../voice/VoiceControls.tsx";
import { VoiceElsewhere } from "../voice/VoiceElsewhere.tsx";
import { useWindowState } from "../window/window-context.ts";
import { Composer } from "./Composer.tsx";
import styles from "./Dock.module.css";
import { HeldList } from "./queue/HeldList.tsx";
import { QueueList } from "./queue/QueueList.tsx";
import { ReviewList } from "./queue/ReviewList.tsx";
import { SteeringList } from "./queue/SteeringList.tsx";
import { useModelNames } from "./use-model-names.ts";
import { WhoAnswers } from "./WhoAnswers.tsx";

const t = texts.composer;

interface DockProps {
  view: ShownView;
  info: AppInfo | null;
  source: VoiceSource;
  /** The page of its meeting stands above it. */
  isMeetingShown: boolean;
  onSource: (source: VoiceSource) => void;
  onToggleVoice: () => void;
}

/** All that stays at the bottom: failures, voice, what waits, and the text box. */
export function Dock({ view, info, source, isMeetingShown, onSource, onToggleVoice }: DockProps) {
  const windowState = useWindowState();
  const failure = useStore(windowState.failure);
  const { voicePanel } = windowState;
  const { servers } = useStore(windowState.servers.view);
  const commands = [...(info?.commands ?? []), ...servers.flatMap(({ prompts }) => prompts)];
  const panel = useStore(voicePanel.snapshot);
  const isPanelOpen = useStore(voicePanel.isOpen);
  const hasWaiting = view.items.some(
    (item) => (item.kind === "approval" || item.kind === "question") && item.status === "waiting",
  );
  const sessions = useStore(windowState.library.list.sessions);
  const elsewhere = useMemo(() => waitingIn(sessions, view.conversationId), [sessions, view.conversationId]);
  const held = view.queue.filter(({ isHeld }) => isHeld);
  const isSpoken = ({ origin }: QueuedInput) => origin === "voice";
  const id = view.conversationId;
  const { now, speech } = view.voice;
  const heard = isOn(now) ? now : null;
  const talkKey = panel?.settings["voice.pushToTalk"] ?? "off";
  // Below its reply, where that is shown.
  const isBelowReply =
    !isMeetingShown && view.items.some((item) => item.kind === "assistant" && item.key === speech?.messageId);
  const isSaying = willSend(now) && talkKey === "off";
  const [draft] = useState(() => ({
    get: () => windowState.drafts.get(id),
    set: (text: string) => windowState.drafts.set(id, text),
    attached: () => windowState.drafts.attached(id),
    attach: (attached: readonly AttachmentChoice[]) => windowState.drafts.attach(id, attached),
    flush: () => windowState.drafts.flush(id),
    changed: windowState.drafts.changed,
  }));
  useEffect(() => draft.flush, [draft]);
  const asked = useMemo(() => askedIn(view.items), [view.items]);
  const { wordsOf, onCommand } = useModelNames();
  const isNarrow = useMedia("(max-width: 759px)");
  const folder = view.workingFolder?.split(/[\\/]/).at(-1);
  const placeholder =
    folder && view.items.length === 0 ? t.begin(folder) : isNarrow ? t.placeholderNarrow : undefined;
  return (
    <footer className={styles.dock} data-pane="composer" data-testid="dock">
      <div className="col">
        {failure && (
          <div role="alert">
            <ErrorCard
              error={failure}
              end={
                <button
                  type="button"
                  className="btn icon ghost"
                  aria-label={texts.common.dismiss}
                  title={texts.common.dismiss}
                  onClick={() => windowState.failure.set(null)}
                >
                  <Icon name="close" size={14} />
                </button>
              }
            />
          </div>
        )}
        <TrustPlace
          trust={windowState.trust}
          focusWanted={windowState.approvalsWanted}
          isFirst={!hasWaiting}
        />
        {!isBelowReply && <SpeechState speech={speech} />}
        <VoiceElsewhere shownId={id} />
        <VoiceBar
          now={now}
          level={voicePanel.level}
          platform={info?.platform}
          panel={panel}
          onStart={() => void windowState.startVoice(source)}
          onMute={voicePanel.mute}
          onDictate={windowState.dictate}
          onSource={onSource}
          onAsk={() => voicePanel.askMeeting("ask")}
          onMeeting={isMeetingShown ? null : () => windowState.meeting.open(id)}
          isAnswering={waitingQuestion(view.items) !== undefined}
          talkKey={talkKey}
          onSystemSettings={voicePanel.openSystemSettings}
        />
        {panel && <SpeechOfferList offers={panel.offers} isRecogniserShown={now.state !== "off"} />}
        <LearnedWords />
        <SteeringList steering={view.steering} />
        <ReviewList
          heard={held.filter(isSpoken)}
          onSend={windowState.sendNow}
          onEdit={windowState.editInput}
          onDrop={windowState.drop}
          onTakeBack={windowState.history.takeBackRepair}
        />
        <HeldList
          held={held.filter((input) => !isSpoken(input))}
          onSend={windowState.sendNow}
          onEdit={(inputId) => void windowState.editHeld(inputId)}
          onDrop={windowState.drop}
        />
        {/* The panel has them while it is open. */}
        {!isPanelOpen && (
          <QueueList
            queue={view.queue.filter(({ isHeld }) => !isHeld)}
            onDrop={windowState.drop}
            onSend={windowState.sendNow}
            onEdit={windowState.editInput}
            onTakeBack={windowState.history.takeBackRepair}
            onLeft={() => windowState.focusWanted.emit()}
          />
        )}
        <WaitBar
          items={view.items}
          elsewhere={elsewhere}
          platform={info?.platform}
          bringBack={isMeetingShown ? windowState.showApprovals : undefined}
          focusWanted={windowState.approvalsWanted}
          cardWanted={windowState.cardWanted}
          onAnswerAll={windowState.answerAll}
          onShow={(conversationId) => void windowState.showWaiting(conversationId)}
        />
        <Composer
          draft={draft}
          commands={commands}
          isRunning={isBusy(view)}
          isAnswering={waitingQuestion(view.items) !== undefined}
          platform={info?.platform}
          asked={asked}
          wordsOf={wordsOf}
          sessions={sessions}
          onCommand={onCommand}
          attaching={windowState.attaching}
          placeholder={isMeetingShown ? texts.meeting.ask : placeholder}
          onSubmit={windowState.submit}
          onFindAttachments={windowState.findAttachments}
          onSteer={windowState.steer}
          onStop={windowState.stop}
          focusWanted={windowState.focusWanted}
          sendWanted={windowState.sendWanted}
          inserted={windowState.inserted}
          withdrawn={windowState.withdrawn}
          under={
            isMeetingShown ? (
              <MeetingGoes conversationId={id} items={view.items} />
            ) : (
              info && <WhoAnswers info={info} permissionMode={view.permissionMode} />
            )
          }
          offers={isMeetingShown ? <MeetingQuestions /> : undefined}
          partial={heard?.isDictating && !heard.isTrial ? (heard.partial?.text ?? null) : null}
          dictated={voicePanel.dictated}
          onSendSpoken={isSaying ? voicePanel.sendNow : null}
          onSilence={speech && speech.state !== "stopped" ? () => void windowState.say("") : null}
        >
          <VoiceControls
            isOn={heard !== null}
            isMuted={heard?.isMuted ?? false}
            source={source}
            platform={info?.platform}
            talkKey={
              panel && talkKey !== "off"
                ? panel.settings["voice.pushToTalkKey"]
                : windowKeyLabel(info?.platform, "voice")
            }
            onToggle={onToggleVoice}
            onSource={onSource}
          />
        </Composer>
      </div>
    </footer>
  );
}

/** Whether there is a run to stop. */
export const isBusy = (view: ShownView): boolean =>
  view.state === "processing" || view.state === "awaiting_input";
