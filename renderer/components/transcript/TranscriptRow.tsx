import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { timeOfDay } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { ApprovalLine } from "../approvals/ApprovalCard.tsx";
import { QuestionCard } from "../approvals/QuestionCard.tsx";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { Markdown } from "./markdown/Markdown.tsx";
import { AssistantMessage } from "./messages/AssistantMessage.tsx";
import { ErrorCard } from "./messages/ErrorCard.tsx";
import { UserMessage } from "./messages/UserMessage.tsx";
import styles from "./TranscriptRow.module.css";
import { ToolLine } from "./tools/ToolLine.tsx";

const t = texts.transcript;

/** One item of a transcript. Items that did not change are the same objects, so their rows are not rendered again. */
export const TranscriptRow = memo(function TranscriptRow({
  item,
  isReplyEnd = false,
  onRetry,
}: {
  item: TranscriptItem;
  isReplyEnd?: boolean;
  onRetry: () => void;
}) {
  switch (item.kind) {
    case "user":
      return <UserMessage item={item} />;
    case "assistant":
      return <AssistantMessage item={item} isReplyEnd={isReplyEnd} />;
    case "tool":
      return <ToolLine item={item} />;
    case "approval":
      // What waits stands in a list of its own.
      return item.status === "waiting" ? null : <ApprovalLine item={item} />;
    case "question":
      return <QuestionCard item={item} />;
    case "note":
      return <Note item={item} />;
    case "said":
      return (
        <p className={styles.saidLine} data-testid="said" data-key={item.key} data-who={item.who}>
          <time dateTime={new Date(item.at).toISOString()}>{timeOfDay(item.at)}</time>
          <b>{item.who === "me" ? t.me : t.them}</b>
          <span>{item.text}</span>
        </p>
      );
    case "error":
      return (
        <ErrorCard error={item.error}>
          {item.canRetry && item.error.keyVariable !== undefined && (
            <ChangeKeyButton variable={item.error.keyVariable} />
          )}
          {item.canRetry && (
            <button type="button" className="btn" title={t.retryTitle} onClick={onRetry}>
              {texts.common.retry}
            </button>
          )}
        </ErrorCard>
      );
    case "command":
      return (
        <section
          className={styles.answer}
          data-testid="command-answer"
          data-key={item.key}
          aria-label={t.answerTo(item.line)}
        >
          <div className={styles.line}>
            <code>{item.line}</code>
            {item.isError && <span className={styles.bad}>{t.couldNotRun}</span>}
          </div>
          <Markdown text={item.output} streaming={false} />
        </section>
      );
  }
});

function ChangeKeyButton({ variable }: { variable: string }) {
  const { changeKey } = use(RowActionsContext);
  return (
    changeKey && (
      <button
        type="button"
        className="btn"
        title={t.changeKeyTitle(variable)}
        onClick={() => changeKey(variable)}
      >
        {t.changeKey}
      </button>
    )
  );
}

function RedoButton() {
  const { history } = use(RowActionsContext);
  return (
    history && (
      <button type="button" className="btn small" title={t.redoTitle} onClick={() => void history.redo()}>
        {texts.common.redo}
      </button>
    )
  );
}

function UndoButton({ checkpointId }: { checkpointId: string }) {
  const { history } = use(RowActionsContext);
  const [isWorking, setWorking] = useState(false);
  const undo = async (from: NonNullable<typeof history>) => {
    setWorking(true);
    await from.undo(checkpointId);
    setWorking(false);
  };
  return (
    history && (
      <button
        type="button"
        className="btn small"
        title={t.undoTitle}
        disabled={isWorking}
        onClick={() => void undo(history)}
      >
        {texts.common.undo}
      </button>
    )
  );
}

/** What was heard and not sent can be sent after all. */
function Note({ item }: { item: Extract<TranscriptItem, { kind: "note" }> }) {
  const { sendAnyway } = use(RowActionsContext);
  const { droppedId } = item;
  return (
    <p className={styles.note} data-testid="note" data-key={item.key}>
      {item.text}
      {item.canRedo && <RedoButton />}
      {item.undo !== undefined && <UndoButton checkpointId={item.undo} />}
      {droppedId !== undefined && (
        <button
          type="button"
          className="btn ghost"
          title={t.sendAnywayTitle}
          onClick={() => sendAnyway(droppedId)}
        >
          {texts.common.send}
        </button>
      )}
    </p>
  );
}
