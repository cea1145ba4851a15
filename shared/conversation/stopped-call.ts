/** What a call answers that the user stopped before it had anything to say. */
export const stoppedText = "Interrupted by the user before it finished.";
/** Ends the output of a command that the user stopped. */
export const stoppedMark = "[interrupted by the user; the output ends here]";

/** Whether the user stopped a failed call; its output alone tells, also after a restart. */
export const wasStopped = (output: string): boolean =>
  output === stoppedText || output.includes(stoppedMark) || output === unfinishedText;

/** Stands for the output of a call that was under way when its run ended. */
export const unfinishedText = "Interrupted.";
