import type { QueuedInput } from "../../../shared/conversation/events.ts";
import { maxReadings, type Repair, type Usage } from "../../../shared/conversation/messages.ts";
import type { RepairAnswer } from "./ask-repair.ts";

/** A prompt with the words that a model chose. What was heard before stays with it, as the likeliest other reading. */
export function repairedInput(
  input: QueuedInput,
  { text, spent }: Pick<RepairAnswer, "text" | "spent">,
): QueuedInput {
  const { repair: before, heard: _doubts, ...rest } = input;
  const cost = { ...spent, ...(before && together(before, spent)) };
  const first = before?.heard ?? input.text;
  if (text === null || text === input.text) {
    return { ...input, repair: { ...(first !== input.text && { heard: first }), ...cost } };
  }
  const readings = otherReadings(input, text);
  return { ...rest, text, readings, repair: { ...(first !== text && { heard: first }), ...cost } };
}

/** The same as it was first heard; what the repair has cost stays with it. */
export function asFirstHeard(input: QueuedInput): QueuedInput {
  const { repair } = input;
  if (repair?.heard === undefined) return input;
  const { heard } = repair;
  return { ...input, text: heard, readings: otherReadings(input, heard), repair: costOf(repair) };
}

/** What is left of it where the words are the user's own again. */
export const costOf = ({ heard: _, ...cost }: Repair): Repair => cost;

/** What was first heard of a prompt that goes on. */
export const longerRepair = (repair: Repair, more: string): Repair => ({
  ...repair,
  ...(repair.heard !== undefined && { heard: `${repair.heard} ${more}` }),
});

/** What else a prompt may be, beside the words that were chosen. */
export function otherReadings(
  { text, readings = [] }: { text: string; readings?: readonly string[] | undefined },
  chosen: string,
): string[] {
  return [text, ...readings].filter((reading) => reading !== chosen).slice(0, maxReadings);
}

function together(one: Omit<Repair, "heard">, other: Omit<Repair, "heard">): Pick<Repair, "usage" | "usd"> {
  const sum = (key: keyof Usage) => one.usage[key] + other.usage[key];
  return {
    usage: {
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      cacheReadTokens: sum("cacheReadTokens"),
      cacheWriteTokens: sum("cacheWriteTokens"),
    },
    usd: one.usd === null || other.usd === null ? null : one.usd + other.usd,
  };
}
