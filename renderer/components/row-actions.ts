import { createContext } from "react";

/** What the rows of a transcript can do about a run that waits for the user. */
export interface RowActions {
  answerApproval: (approvalId: string, allowed: boolean, reason?: string) => void;
  answerQuestion: (questionId: string, answer: string) => void;
  /** What was heard and not sent becomes a prompt after all. */
  sendAnyway: (droppedId: string) => void;
}

export const RowActionsContext = createContext<RowActions>({
  answerApproval: () => {},
  answerQuestion: () => {},
  sendAnyway: () => {},
});
