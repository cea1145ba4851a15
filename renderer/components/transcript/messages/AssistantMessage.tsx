import { memo, use } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { SpeechState } from "../../voice/SpeechState.tsx";
import { useSaid, useShortened } from "../../voice/use-said.ts";
import { useWindowState } from "../../window/window-context.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import { ActionButton } from "./ActionButton.tsx";
import styles from "./AssistantMessage.module.css";
import { BranchSwitch } from "./BranchSwitch.tsx";
import actions from "./MessageActions.module.css";
import { QuoteButton } from "./QuoteButton.tsx";
import { ReplyCost } from "./ReplyCost.tsx";
import { RetryMenu } from "./RetryMenu.tsx";
import { SpeakButton } from "./SpeakButton.tsx";
import { ThinkingLine } from "./ThinkingLine.tsx";

const t = texts.transcript;

export type AssistantItem = Extract<TranscriptItem, { kind: "assistant" }>;

interface AssistantMessageProps {
  item: AssistantItem;
  /** Of the last part of a whole reply all that the reply says: what can be done with it stands here. */
  replyText: string | null;
  /** The last reply of all: it shows what can be done with it. */
  isNewest: boolean;
}

export const AssistantMessage = memo(function AssistantMessage(props: AssistantMessageProps) {
  const { item, replyText, isNewest } = props;
  const { history } = use(RowActionsContext);
  const hasActions = replyText !== null && item.text !== "";
  return (
    <>
      {item.thinking && <ThinkingLine thinking={item.thinking} />}
      {(item.text !== "" || !item.thinking) && (
        <article
          className={styles.it}
          data-testid="message-assistant"
          data-key={item.key}
          data-streaming={item.streaming}
          aria-label={t.parley}
          aria-busy={item.streaming}
        >
          <Markdown text={item.text} streaming={item.streaming} />
          {item.interrupted && (
            <p className={styles.cut} data-beside="">
              {t.incomplete}
            </p>
          )}
        </article>
      )}
      {history && <SaidAloud messageId={item.key} />}
      {history && (hasActions || item.branches) && (
        <div
          className={isNewest || item.branches ? actions.acts : `${actions.acts} ${actions.over}`}
          data-testid="message-actions"
          data-beside=""
        >
          {item.branches && <BranchSwitch branches={item.branches} of="reply" onShow={history.showBranch} />}
          {hasActions && (
            <span className={isNewest ? actions.shown : actions.onHover}>
              <CopyButton text={replyText} title={t.copyReply} isIcon />
              <SpeakButton messageId={item.key} text={item.text} />
              <ActionButton
                icon="again"
                label={t.regenerate}
                title={t.regenerateTitle}
                onAct={() => history.regenerate(item.key)}
              />
              <RetryMenu model={item.model} onChoose={(model) => history.regenerate(item.key, model)} />
              <QuoteButton text={replyText} />
              <ActionButton
                icon="fork"
                label={texts.common.fork}
                title={t.forkReplyTitle}
                onAct={() => history.forkShown(item.key)}
              />
              {item.usage && <ReplyCost model={item.model} usage={item.usage} />}
            </span>
          )}
        </div>
      )}
    </>
  );
});

/** While this reply is said aloud: how far that is. Where only its beginning is said: the way to hear the rest. */
function SaidAloud({ messageId }: { messageId: string }) {
  const windowState = useWindowState();
  const speech = useSaid(messageId);
  const isShortened = useShortened(messageId);
  return (
    <>
      {speech && <SpeechState speech={speech} />}
      {isShortened && (
        <p className={styles.shortened} data-beside="">
          {texts.voice.restOnScreen}
          <button
            type="button"
            className="btn small"
            data-testid="read-all"
            title={texts.voice.readAllTitle}
            onClick={windowState.readAll}
          >
            <Icon name="speaker" size={12} />
            {texts.voice.readAll}
          </button>
        </p>
      )}
    </>
  );
}
