import { createContext } from "react";
import type { ApprovalScope } from "../../shared/permissions.ts";

/** What the rows of a transcript can do about a run that waits for the user. */
export interface RowActions {
  answerApproval: (approvalId: string, allowed: boolean, reason?: string, scope?: ApprovalScope) => void;
  answerQuestion: (questionId: string, answer: string) => void;
}

export const RowActionsContext = createContext<RowActions>({
  answerApproval: () => {},
  answerQuestion: () => {},
});
