import type { ContentBlock, Message } from "./messages.ts";
import type { Branches } from "./sessions.ts";
import { endedTool, itemOf, type TranscriptItem, toolItem } from "./transcript-items.ts";

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
    const cards = message.content.filter(isCall).map(({ id: toolUseId, name, input }) => {
      const result = results.get(toolUseId);
      return endedTool(toolItem({ toolUseId, name, input }, message.createdAt), {
        isError: result ? (result.is_error ?? false) : true,
        output: result?.content ?? "Interrupted.",
        durationMs: durationOf(toolUseId) ?? 0,
      });
    });
    return own ? [own, ...cards] : cards;
  });
}

const isCall = (block: ContentBlock) => block.type === "tool_use";
const isResult = (block: ContentBlock) => block.type === "tool_result";
