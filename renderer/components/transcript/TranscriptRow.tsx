import { memo, use, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { timeOfDay } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { ApprovalCard } from "../approvals/ApprovalCard.tsx";
import { ApprovalLine } from "../approvals/ApprovalLine.tsx";
import { QuestionCard } from "../approvals/QuestionCard.tsx";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { AssistantMessage } from "./messages/AssistantMessage.tsx";
import { CommandAnswer } from "./messages/CommandAnswer.tsx";
import { ErrorRow } from "./messages/ErrorRow.tsx";
import { SayRestButton } from "./messages/SayRestButton.tsx";
import { UserMessage } from "./messages/UserMessage.tsx";
import styles from "./TranscriptRow.module.css";
import { ToolLine } from "./tools/ToolLine.tsx";

const t = texts.transcript;

/** One item of a transcript. Items that did not change are the same objects, so their rows are not rendered again. */
export const TranscriptRow = memo(function TranscriptRow({
  item,
  replyText = null,
  isNewest = false,
  onRetry,
}: {
  item: TranscriptItem;
  replyText?: string | null;
  isNewest?: boolean;
  onRetry: () => void;
}) {
  switch (item.kind) {
    case "user":
      return <UserMessage item={item} isNewest={isNewest} />;
    case "assistant":
      return <AssistantMessage item={item} replyText={replyText} isNewest={isNewest} />;
    case "tool":
      return <ToolLine item={item} />;
    case "approval":
      return item.status === "waiting" ? <ApprovalCard item={item} /> : <ApprovalLine item={item} />;
    case "question":
      return <QuestionCard item={item} />;
    case "note":
      return <Note item={item} />;
    case "said":
      return (
        <p className={styles.saidLine} data-testid="said" data-key={item.key} data-who={item.who}>
          <time dateTime={new Date(item.at).toISOString()} data-beside="">
            {timeOfDay(item.at)}
          </time>
          <b data-beside="">{item.who === "note" ? texts.meeting.note : item.who === "me" ? t.me : t.them}</b>
          <span dir="auto">{item.text}</span>
        </p>
      );
    case "error":
      return <ErrorRow item={item} onRetry={onRetry} />;
    case "command":
      return <CommandAnswer item={item} />;
  }
});

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
      <span>
        <bdi>{item.text}</bdi>
        {item.canRedo && <RedoButton />}
        {item.rest && <SayRestButton rest={item.rest} />}
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
      </span>
    </p>
  );
}
