import { createContext } from "react";
import type { OpenedAttachment } from "../../../shared/conversation/attachments.ts";
import type { ModelState } from "../../../shared/ipc/model-routes.ts";
import type { ApprovalChoice } from "../../../shared/safety/permissions.ts";
import { AnswerGuard } from "../../state/conversation/answer-guard.ts";
import type { Readable } from "../../state/store.ts";

/** What the rows of a transcript can do about a run that waits for the user, and about what was said. */
export interface RowActions {
  answerApproval: (approvalId: string, allowed: boolean, reason?: string, choice?: ApprovalChoice) => void;
  answerQuestion: (questionId: string, answer: string) => void;
  /** Knows which cards stand where they stand for long enough to be answered. */
  guard: AnswerGuard;
  /** The microphone is heard: a card says what becomes of what is said. */
  isListening?: boolean;
  /** The home folder, as the system names it. */
  home?: string;
  /** What was heard and not sent becomes a prompt after all. */
  sendAnyway: (droppedId: string) => void;
  /** Says what was not heard of a reply. */
  sayRest: (messageId: string, heard: string) => void;
  /** Shows the form for a key that was refused, or is missing. Absent in the quick window. */
  changeKey?: (variable: string) => void;
  /** Another model answers from now on. @param isAgain it is asked the last prompt at once. Absent in the quick window. */
  chooseModel?: (model: string, isAgain: boolean) => void;
  /** Who answers, and who else could. Absent in the quick window. */
  modelState?: Readable<ModelState | null>;
  /** A request that waits to be tried again goes out at once. Absent in the quick window. */
  tryNow?: () => void;
  /** The end of the run. */
  stop?: () => void;
  /** Absent where a transcript is only read, such as in the quick window. */
  history?: HistoryActions;
  /** Puts these words into the text box as a quotation. Absent in the quick window. */
  quote?: (words: string) => void;
  /** Opens a file of the working folder as the system does. Absent in the quick window. */
  openFile?: (path: string) => void;
  /** What stands beside a prompt that was sent. Absent in the quick window. */
  openSent?: (messageId: string, place: number) => Promise<OpenedAttachment | null>;
}

/** Ways back and sideways in the tree of what was said. */
export interface HistoryActions {
  /** @returns false when the text was not taken and must not be lost */
  editPrompt: (messageId: string, text: string) => Promise<boolean>;
  /** A prompt that a model mended is as it was first heard again. */
  takeBackRepair: (id: string) => void;
  /** @param model who answers from then on; without it who answered last */
  regenerate: (messageId: string, model?: string) => void;
  showBranch: (messageId: string) => void;
  forkShown: (messageId: string) => void;
  rewindTo: (messageId: string) => void;
  undo: (checkpointId: string) => Promise<unknown>;
  redo: () => Promise<unknown>;
}

export const RowActionsContext = createContext<RowActions>({
  answerApproval: () => {},
  answerQuestion: () => {},
  guard: new AnswerGuard(),
  sendAnyway: () => {},
  sayRest: () => {},
});
