import { type CallRow, isAskedMeanwhile, isWaiting } from "../../../state/conversation/transcript-rows.ts";
import { ApprovalCard } from "../../approvals/ApprovalCard.tsx";
import { QuestionCard } from "../../approvals/QuestionCard.tsx";
import { ToolLine } from "./ToolLine.tsx";

/**
 * A call: its line becomes the card while the user is asked about it, or while all that it does is ask; it stands beside
 * what is asked meanwhile. Of a form what was sent stays to be read.
 */
export function CallLine({ call: { item, approvals, questions, isNewestEdit } }: { call: CallRow }) {
  const waiting = approvals.filter(isWaiting);
  const isOnlyAsking = item.name === "ask_user" && questions.some(isWaiting);
  return (
    <>
      {waiting.every(isAskedMeanwhile) && !isOnlyAsking && (
        <ToolLine item={item} approvals={approvals} isNewestEdit={isNewestEdit} />
      )}
      {waiting.map((approval) => (
        <ApprovalCard key={approval.key} item={approval} />
      ))}
      {questions
        .filter((question) => isWaiting(question) || question.form)
        .map((question) => (
          <QuestionCard key={question.key} item={question} />
        ))}
    </>
  );
}
