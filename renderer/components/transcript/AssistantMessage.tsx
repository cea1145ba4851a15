import { memo, use } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { BranchSwitch } from "./BranchSwitch.tsx";
import { Markdown } from "./markdown/Markdown.tsx";
import { SpeakButton } from "./SpeakButton.tsx";

export type AssistantItem = Extract<TranscriptItem, { kind: "assistant" }>;

interface AssistantMessageProps {
  item: AssistantItem;
  /** The last of its reply: what can be done with a reply stands here. */
  isReplyEnd: boolean;
}

export const AssistantMessage = memo(function AssistantMessage({ item, isReplyEnd }: AssistantMessageProps) {
  const { history } = use(RowActionsContext);
  const hasActions = isReplyEnd && !item.streaming;
  return (
    <>
      <article
        className={item.streaming ? "it streaming" : "it"}
        data-testid="message-assistant"
        data-key={item.key}
        data-streaming={item.streaming}
        aria-label="Parley"
        aria-busy={item.streaming}
      >
        <Markdown text={item.text} streaming={item.streaming} />
        {item.interrupted && <p className="cut">Cut short here.</p>}
      </article>
      {history && (hasActions || item.branches) && (
        <div className="acts">
          {item.branches && <BranchSwitch branches={item.branches} of="reply" onShow={history.showBranch} />}
          {hasActions && (
            <span className="on-hover">
              <SpeakButton messageId={item.key} text={item.text} />
              <button
                type="button"
                className="btn small ghost"
                title="Ask again: another version of this reply"
                onClick={() => history.regenerate(item.key)}
              >
                Regenerate
              </button>
              <CopyButton text={item.text} title="Copy this reply" />
              <button
                type="button"
                className="btn small ghost"
                title="A new conversation with all up to this reply"
                onClick={() => history.forkShown(item.key)}
              >
                Fork
              </button>
            </span>
          )}
        </div>
      )}
    </>
  );
});
