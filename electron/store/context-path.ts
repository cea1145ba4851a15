import type { Message } from "../../shared/messages.ts";

/** What of a path a run needs, wherever it is kept. */

/** The user's role is enough: the first message of a sub-agent is its task. */
export const isPrompt = ({ role }: Message): boolean => role === "user";

/** @param path the end of a path @returns whether it has the newest summary and the last message that it stands for */
export function reachesWhatIsCovered(path: readonly Message[]): boolean {
  const summary = path.findLast(({ origin }) => origin === "summary");
  return summary !== undefined && path.some(({ id }) => id === summary.covers);
}

/**
 * The first prompt, the newest summary in the place of what it stands for, and all after that; the path itself where
 * there is no summary. A summary that does not say what it covers stands for all before it.
 */
export function contextOf(path: Message[], first: Message | undefined): Message[] {
  const summaryAt = path.findLastIndex(({ origin }) => origin === "summary");
  const summary = path[summaryAt];
  if (!summary) return path;
  const coveredAt = path.findIndex(({ id }) => id === summary.covers);
  const rest = path.slice(coveredAt < 0 ? summaryAt : coveredAt + 1);
  return [
    ...(first ? [first] : []),
    summary,
    ...rest.filter(({ id, origin }) => origin !== "summary" && id !== first?.id),
  ];
}
