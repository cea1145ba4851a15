import type { Message } from "../../../shared/conversation/messages.ts";

/** Whether it holds results: then it stands and falls with the reply before it, which asked for them. */
export function holdsResults(message: Message | undefined): boolean {
  return message?.content.some(({ type }) => type === "tool_result") ?? false;
}

/**
 * Where to cut so that about `wanted` messages of the beginning go: never between a call and its result, and never so
 * that nothing is left. More goes rather than less, unless that would be everything.
 * @returns how many go; `from` (those that are gone already) where nothing more can
 */
export function cutPoint(messages: readonly Message[], from: number, wanted: number): number {
  let at = Math.max(from, Math.min(wanted, messages.length));
  while (holdsResults(messages[at])) at++;
  if (at < messages.length) return at;
  at = Math.min(wanted, messages.length - 1);
  while (holdsResults(messages[at])) at--;
  return Math.max(from, at);
}
