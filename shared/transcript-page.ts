import { type ContentBlock, type Message, textOf } from "./messages.ts";
import type { Branches } from "./sessions.ts";
import type { TranscriptItem } from "./transcript.ts";

/**
 * A stretch of a stored conversation as a window shows it: the messages, and the calls as cards. It equals what the
 * events of these messages would leave behind. A call without a result was under way when Parley ended.
 * @param messages oldest first; results stand on the same page as their calls
 * @param branches by id of a message that has other versions
 * @param durationOf of a call by its id, in milliseconds; undefined where it is not known
 */
export function itemsOfPage(
  messages: readonly Message[],
  branches: ReadonlyMap<string, Branches>,
  durationOf: (toolUseId: string) => number | undefined,
): TranscriptItem[] {
  const results = new Map(
    messages.flatMap(({ content }) => content.filter(isResult).map((block) => [block.tool_use_id, block])),
  );
  let unseen: Branches | undefined;
  return messages.flatMap((message) => {
    const versions = branches.get(message.id) ?? unseen;
    const own = itemOf(message, versions);
    // Where a summary was made first, it is the other version; it does not show, so what comes next says so.
    unseen = own ? undefined : versions;
    const cards = message.content.filter(isCall).map(({ id, name, input }): TranscriptItem => {
      const result = results.get(id);
      return {
        kind: "tool",
        key: id,
        name,
        input,
        status: result && !result.is_error ? "done" : "failed",
        output: result?.content ?? "Interrupted.",
        startedAt: message.createdAt,
        durationMs: durationOf(id) ?? 0,
      };
    });
    return own ? [own, ...cards] : cards;
  });
}

/**
 * A message as it is shown. null where something else shows it: tool results have their cards, summaries and Parley's
 * own words their notes. A reply without text is shown only where other versions of it can be chosen.
 */
export function itemOf(message: Message, branches: Branches | undefined): TranscriptItem | null {
  const { id: key, role, origin, source, createdAt: at } = message;
  const text = textOf(message.content);
  const versions = branches && { branches };
  if (role === "assistant") {
    if (text === "" && !branches) return null;
    const interrupted = message.interrupted ?? false;
    return { kind: "assistant", key, text, streaming: false, interrupted, at, ...versions };
  }
  if (origin === null || origin === "tool" || origin === "system" || origin === "summary") return null;
  return { kind: "user", key, text, origin, source, at, ...versions };
}

const isCall = (block: ContentBlock) => block.type === "tool_use";
const isResult = (block: ContentBlock) => block.type === "tool_result";
