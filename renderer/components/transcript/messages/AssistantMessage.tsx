import { memo, use } from "react";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { texts } from "../../../texts/texts.ts";
import { RowActionsContext } from "../../sessions/row-actions.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import styles from "./AssistantMessage.module.css";
import { BranchSwitch } from "./BranchSwitch.tsx";
import actions from "./MessageActions.module.css";
import { SpeakButton } from "./SpeakButton.tsx";
import { ThinkingLine } from "./ThinkingLine.tsx";

const t = texts.transcript;

export type AssistantItem = Extract<TranscriptItem, { kind: "assistant" }>;

interface AssistantMessageProps {
  item: AssistantItem;
  /** The last of its reply: what can be done with a reply stands here. */
  isReplyEnd: boolean;
}

export const AssistantMessage = memo(function AssistantMessage({ item, isReplyEnd }: AssistantMessageProps) {
  const { history } = use(RowActionsContext);
  const hasActions = isReplyEnd && !item.streaming && item.text !== "";
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
          {item.interrupted && <p className={styles.cut}>{t.incomplete}</p>}
        </article>
      )}
      {history && (hasActions || item.branches) && (
        <div className={actions.acts}>
          {item.branches && <BranchSwitch branches={item.branches} of="reply" onShow={history.showBranch} />}
          {hasActions && (
            <span className={actions.onHover}>
              <SpeakButton messageId={item.key} text={item.text} />
              <button
                type="button"
                className="btn small ghost"
                title={t.regenerateTitle}
                onClick={() => history.regenerate(item.key)}
              >
                {t.regenerate}
              </button>
              <CopyButton text={item.text} title={t.copyReply} />
              <button
                type="button"
                className="btn small ghost"
                title={t.forkReplyTitle}
                onClick={() => history.forkShown(item.key)}
              >
                {texts.common.fork}
              </button>
            </span>
          )}
        </div>
      )}
    </>
  );
});
