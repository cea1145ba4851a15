/** What a call answers that the user stopped before it had anything to say. */
export const stoppedText = "Interrupted by the user before it finished.";
/** Ends the output of a command that the user stopped. */
export const stoppedMark = "[interrupted by the user; the output ends here]";

/** Whether the user stopped a failed call; its output alone tells, also after a restart. */
export const wasStopped = (output: string): boolean =>
  output === stoppedText || output.includes(stoppedMark) || output === unfinishedText;

/** What a call answers that the user did not allow. @param reason their words, if any */
export const deniedText = (tool: string, reason?: string | null): string =>
  `The user did not allow ${tool}.${reason ? ` They said: ${reason}` : ""}`;

/** Whether the user did not allow a failed call, and what they said; null where that is not why it failed. */
export function denialIn(output: string): { reason: string | null } | null {
  const found = /^The user did not allow \S+\.(?: They said: (.+))?$/s.exec(output);
  return found && { reason: found[1] ?? null };
}

/** What a call answers that a rule or the level refused. @param why without a full stop @param where it can be changed; null: nowhere */
export const refusedText = (tool: string, why: string, where: string | null): string =>
  `${tool} was refused. The reason: ${why}.${where === null ? "" : ` The user can change that ${where}.`}`;

/** Why a failed call was refused, by which rule or level; null where that is not why it failed. */
export const refusalIn = (output: string): string | null =>
  /^\S+ was refused\. The reason: (.+)$/s.exec(output)?.[1] ?? null;

/** Stands for the output of a call that was under way when its run ended. */
export const unfinishedText = "Interrupted.";
