import { createContext } from "react";
import type { ApprovalChoice } from "../../../shared/safety/permissions.ts";

/** What the rows of a transcript can do about a run that waits for the user, and about what was said. */
export interface RowActions {
  answerApproval: (approvalId: string, allowed: boolean, reason?: string, choice?: ApprovalChoice) => void;
  answerQuestion: (questionId: string, answer: string) => void;
  /** What was heard and not sent becomes a prompt after all. */
  sendAnyway: (droppedId: string) => void;
  /** Shows the form for a key that was refused. Absent in the quick window. */
  changeKey?: (variable: string) => void;
  /** Absent where a transcript is only read, such as in the quick window. */
  history?: HistoryActions;
}

/** Ways back and sideways in the tree of what was said. */
export interface HistoryActions {
  /** @returns false when the text was not taken and must not be lost */
  editPrompt: (messageId: string, text: string) => Promise<boolean>;
  /** A prompt that a model mended is as it was first heard again. */
  takeBackRepair: (id: string) => void;
  regenerate: (messageId: string) => void;
  showBranch: (messageId: string) => void;
  forkShown: (messageId: string) => void;
  rewindTo: (messageId: string) => void;
  undo: (checkpointId: string) => Promise<unknown>;
  redo: () => Promise<unknown>;
}

export const RowActionsContext = createContext<RowActions>({
  answerApproval: () => {},
  answerQuestion: () => {},
  sendAnyway: () => {},
});
