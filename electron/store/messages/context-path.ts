import type { Message } from "../../../shared/conversation/messages.ts";

/** What of a path a run needs, wherever it is kept. */

/** The user's role is enough: the first message of a sub-agent is its task. */
export const isOfUser = ({ role }: Message): boolean => role === "user";

export const isSummary = ({ origin }: Message): boolean => origin === "summary";

/**
 * The first prompt, the newest summary in the place of what it stands for, and all after that; the path itself where
 * there is no summary. A summary that does not say what it covers stands for all before it.
 */
export function contextOf(path: Message[], first: Message | undefined): Message[] {
  const summaryAt = path.findLastIndex(isSummary);
  const summary = path[summaryAt];
  if (!summary) return path;
  const coveredAt = path.findIndex(({ id }) => id === summary.covers);
  const rest = path.slice(coveredAt < 0 ? summaryAt : coveredAt + 1);
  return [
    ...(first ? [first] : []),
    summary,
    ...rest.filter((message) => !isSummary(message) && message.id !== first?.id),
  ];
}
