import type { QuickState } from "../../state/quick-state.ts";
import type { RowActions } from "../sessions/row-actions.ts";

/**
 * What rows can do in the quick window. Each is named: whatever else its state may have by the same name means something else
 * there, and what it leads to may need the main window.
 */
export const quickActions = (state: QuickState): RowActions => ({
  answerApproval: state.answerApproval,
  answerQuestion: state.answerQuestion,
  guard: state.guard,
  sendAnyway: state.sendAnyway,
  sayRest: state.sayRest,
  stop: state.stop,
});
