import type { Message, ToolResultBlock } from "./messages.ts";
import type { Branches } from "./sessions.ts";
import { endedTool, goesOn, itemOf, type TranscriptItem, toolItem, withRest } from "./transcript-items.ts";
import { unfinishedText } from "./unfinished-call.ts";

/** What is kept of a call beside the messages. */
export interface CallFacts {
  durationMs: number;
  /** Characters of its whole output, where that was cut for the model. */
  totalChars?: number | undefined;
  /** What it changed in files, unified. */
  diff?: string | undefined;
}

/**
 * What a window shows of a conversation that is kept, from its messages: the same as when each was added and each call
 * begun and ended again, but in one pass. A call without a result was under way when Parley ended.
 * @param messages oldest first; results stand among them with their calls
 * @param calls by their ids, those of which more is kept
 * @param branches by id of a message that has other versions
 */
export function itemsOfHistory(
  messages: readonly Message[],
  calls: ReadonlyMap<string, CallFacts>,
  branches: ReadonlyMap<string, Branches> = new Map(),
): TranscriptItem[] {
  const results = resultsIn(messages);
  let items: TranscriptItem[] = [];
  let unseen: Branches | undefined;
  for (const message of messages) {
    const versions = branches.get(message.id) ?? unseen;
    const shown = itemOf(message, versions);
    if (shown && goesOn(message)) items = withRest(items, shown);
    else if (shown) items.push(shown);
    // Where a summary was made first, it is the other version; it does not show, so what comes next says so.
    unseen = shown ? undefined : versions;
    for (const block of message.content) {
      if (block.type !== "tool_use") continue;
      const { id: toolUseId, name, input } = block;
      const result = results.get(toolUseId);
      const { durationMs = 0, totalChars, diff } = calls.get(toolUseId) ?? {};
      const item = endedTool(toolItem({ toolUseId, name, input }, message.createdAt), {
        isError: result ? (result.is_error ?? false) : true,
        output: result?.content ?? unfinishedText,
        durationMs,
        diff,
      });
      items.push({
        ...item,
        ...(totalChars !== undefined && { cut: { shownChars: item.output.length, totalChars } }),
        ...((result?.images ?? []).length > 0 && { hasImages: true }),
      });
    }
  }
  return items;
}

function resultsIn(messages: readonly Message[]): ReadonlyMap<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === "tool_result") results.set(block.tool_use_id, block);
  }
  return results;
}
