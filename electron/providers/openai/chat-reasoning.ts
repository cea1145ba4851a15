import { z } from "zod";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import { jsonIn } from "../json-in.ts";
import { markedSignature, signatureOf } from "./thinking-marks.ts";

/**
 * What servers of Chat Completions want back of a model's reasoning, each in a field of its own: `reasoning_content` as it
 * was shown, or OpenRouter's `reasoning_details`, in which the signatures of those stand that it passes requests on to, or
 * Google's `extra_content`. Each goes only to the server that it came from.
 */
const contentOwner = (host: string) => `reasoning@${host}`;
export const detailsOwner = (host: string) => `details@${host}`;

export const contentSignature = (host: string) => markedSignature(contentOwner(host), "");
export const detailsSignature = (host: string, details: readonly unknown[]) =>
  markedSignature(detailsOwner(host), JSON.stringify(details));

/** What a server said beside calls, such as Google's signatures of the thinking that led to them. */
const callsOwner = (host: string) => `calls@${host}`;
export const callsSignature = (host: string, kept: readonly object[]) =>
  markedSignature(callsOwner(host), JSON.stringify(kept));

/** What a server said beside the text: Google's signature of the thinking behind an answer. */
const textOwner = (host: string) => `text@${host}`;
export const textSignature = (host: string, beside: object) =>
  markedSignature(textOwner(host), JSON.stringify(beside));

export const isOfHost = (signature: string, host: string) =>
  [contentOwner(host), detailsOwner(host), callsOwner(host), textOwner(host)].some(
    (owner) => signatureOf(owner, signature) !== null,
  );

/** The reasoning in a reply that the server wants back: nothing of others. */
export function reasoningIn(
  content: readonly ContentBlock[],
  host: string,
): { reasoning: string; details: unknown[]; beside: unknown } {
  let reasoning = "";
  const details: unknown[] = [];
  let beside: unknown;
  for (const block of content) {
    if (block.type !== "thinking") continue;
    if (signatureOf(contentOwner(host), block.signature) !== null) reasoning += block.thinking;
    const kept = jsonIn(signatureOf(detailsOwner(host), block.signature) ?? "");
    if (Array.isArray(kept)) details.push(...kept);
    beside = jsonIn(signatureOf(textOwner(host), block.signature) ?? "") ?? beside;
  }
  return { reasoning, details, beside };
}

const keptShape = z.array(z.record(z.string(), z.unknown())).catch([]);

/** What goes back with each call of a reply: it stands behind them, in their order. */
export function besideCalls(
  content: readonly ContentBlock[],
  host: string,
): ReadonlyMap<ContentBlock, Record<string, unknown>> {
  const beside = new Map<ContentBlock, Record<string, unknown>>();
  const calls: ContentBlock[] = [];
  for (const block of content) {
    if (block.type === "tool_use") calls.push(block);
    const sealed = block.type === "thinking" ? signatureOf(callsOwner(host), block.signature) : null;
    const kept = sealed === null ? [] : keptShape.parse(jsonIn(sealed));
    const first = calls.length - kept.length;
    for (const [place, rest] of kept.entries()) {
      const call = calls[first + place];
      if (call) beside.set(call, rest);
    }
  }
  return beside;
}

/** What is read of a part of `reasoning_details`; all of it goes back. */
const part = z.looseObject({
  type: z.string().nullish(),
  index: z.number().nullish(),
  text: z.string().nullish(),
  summary: z.string().nullish(),
});
type Part = z.infer<typeof part>;

/** The parts as they come with the deltas, put together to what they would be in a whole reply. */
export class ReasoningDetails {
  readonly whole: Part[] = [];

  add(parts: readonly unknown[]): void {
    for (const given of parts) {
      const next = part.safeParse(given).data;
      if (!next) continue;
      const last = this.whole.at(-1);
      if (last && goesOn(last, next)) this.whole[this.whole.length - 1] = joined(last, next);
      else this.whole.push(next);
    }
  }
}

/** What is written comes in pieces; what is sealed comes whole. */
const goesOn = (last: Part, next: Part) =>
  (last.type === "reasoning.text" || last.type === "reasoning.summary") &&
  last.type === next.type &&
  last.index === next.index;

function joined(last: Part, next: Part): Part {
  const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value != null));
  const text = `${last.text ?? ""}${next.text ?? ""}`;
  const summary = `${last.summary ?? ""}${next.summary ?? ""}`;
  return { ...last, ...given, ...(text !== "" && { text }), ...(summary !== "" && { summary }) };
}
