import { z } from "zod";
import type { Usage } from "../../../shared/conversation/messages.ts";
import { ModelError, type ModelStopReason, type ModelStreamEvent } from "../../agent/ports/ports.ts";
import { connectionCut } from "../api-errors.ts";
import { jsonIn } from "../json-in.ts";
import type { ReplyBuilder } from "../reply-builder.ts";
import { type StreamEvents, untilFinished } from "../watched-attempt.ts";
import { type CallDelta, type ChatEvent, type Chunk, type Content, ended } from "./chat-events.ts";
import {
  callsSignature,
  contentSignature,
  detailsSignature,
  ReasoningDetails,
  textSignature,
} from "./chat-reasoning.ts";
import { SaidText, type SaidTextOptions } from "./said-text.ts";

/** Mistral's models that think say both in parts. Parts of other types are passed over. */
const saidPart = z.looseObject({ type: z.string().nullish(), text: z.string().nullish() });
const thoughtPart = z.object({ thinking: z.union([z.string(), z.array(saidPart)]) });

export interface ChatReply extends SaidTextOptions {
  reply: ReplyBuilder;
  /** The model that was asked for, where the server does not name one. */
  model: string;
  /** Whose the reasoning is, and what else it wants back. */
  host: string;
}

/**
 * Turns what comes of a Chat Completions server into deltas and one whole message. Works without ids, without usage, whether
 * arguments come in pieces, in one or not at all, and whether the end is a finish reason or `[DONE]`.
 * @throws ModelError `network` when the stream ends before either
 */
export async function* assembleChat(
  events: AsyncIterable<readonly ChatEvent[]>,
  { reply, model: askedFor, host, ...textOptions }: ChatReply,
): AsyncGenerator<StreamEvents> {
  const calls: OpenCall[] = [];
  const said = new SaidText(reply, textOptions);
  let model = askedFor;
  let finish: string | null = null;
  let isEnded = false;
  let refused = false;
  let reasoned = false;
  const details = new ReasoningDetails();
  let beside: object | undefined;
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

  function take(chunk: Chunk): ModelStreamEvent[] {
    model = chunk.model || model;
    usage = usageOf(chunk.usage) ?? usage;
    const [choice] = chunk.choices ?? [];
    const { content, refusal, reasoning_content, reasoning, reasoning_details, tool_calls, extra_content } =
      choice?.delta ?? {};
    const { text, thinking } = saidIn(content);
    reasoned ||= Boolean(reasoning_content);
    details.add(reasoning_details ?? []);
    if (reasoning_content || reasoning || thinking) said.thoughtApart();
    beside = extra_content ?? beside;
    refused ||= Boolean(refusal);
    for (const call of tool_calls ?? []) if (call) addCall(calls, call);
    finish = choice?.finish_reason || finish;
    return [
      ...reply.thinking(reasoning_content || reasoning || thinking),
      ...said.add(text),
      ...reply.text(refusal ?? ""),
    ];
  }

  for await (const arrived of untilFinished(events, () => isEnded || finish !== null)) {
    const shown: ModelStreamEvent[] = [];
    for (const event of arrived) {
      if (event === ended) isEnded = true;
      else if (!isEnded) shown.push(...take(event));
    }
    if (shown.length > 0) yield shown;
    if (isEnded) yield finished();
  }
  if (isEnded) return;
  if (finish === null) throw connectionCut();
  yield finished();

  function finished(): ModelStreamEvent[] {
    if (finish === "error") throw new ModelError("server", "The model broke off.", "Try again in a moment.");
    const reason = refused ? "refusal" : stopReasonOf(finish ?? "stop");
    const last = said.end({ isCut: reason === "max_tokens", hasCalls: calls.length > 0 });
    if (details.whole.length > 0) reply.sign(detailsSignature(host, details.whole));
    else if (reasoned) reply.sign(contentSignature(host));
    if (beside) reply.sign(textSignature(host, beside));
    const kept: object[] = [];
    for (const { id, name, json, rest } of calls) {
      const input = inputOf(json);
      // The call that was being written when the limit cut it: running half of it would be wrong.
      if (reason === "max_tokens" && typeof input === "string") continue;
      reply.call(id, name, input);
      kept.push(rest);
    }
    if (kept.some((rest) => Object.keys(rest).length > 0)) reply.sign(callsSignature(host, kept));
    return [...last, reply.finish(reason, usage, model)];
  }
}

function saidIn(content: Content): { text: string; thinking: string } {
  if (typeof content === "string" || !content) return { text: content ?? "", thinking: "" };
  let text = "";
  let thinking = "";
  for (const part of [content].flat()) {
    const said = saidPart.safeParse(part).data;
    // Some leave the type of text out.
    if ((said?.type ?? "text") === "text") text += said?.text ?? "";
    if (said?.type === "thinking") thinking += thoughtIn(part);
  }
  return { text, thinking };
}

function thoughtIn(part: unknown): string {
  const { thinking = "" } = thoughtPart.safeParse(part).data ?? {};
  return typeof thinking === "string" ? thinking : thinking.map(({ text }) => text ?? "").join("");
}

/** `key` is the index that the server gave, or the place. */
interface OpenCall {
  key: number;
  id: string | undefined;
  name: string;
  json: string;
  /** What the server said of it beside that, and wants back with it, such as the signature of what led to it. */
  rest: Record<string, unknown>;
}

function addCall(calls: OpenCall[], { index, id, type: _, function: called, ...others }: CallDelta): void {
  const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => value != null));
  // Some write what is not there as a word.
  const name = absent.has(called?.name ?? "") ? "" : (called?.name ?? "");
  const given = called?.arguments ?? "";
  const json = typeof given === "string" ? given : JSON.stringify(given);
  const last = index == null ? calls.at(-1) : calls.findLast(({ key }) => key === index);
  if (!last || beginsAnother(last, { id: id ?? "", name, json })) {
    calls.push({ key: index ?? calls.length, id: id || undefined, name, json, rest });
    return;
  }
  last.id ??= id || undefined;
  // A repeated name is the same name; one in pieces does not occur.
  if (last.name === "") last.name = name;
  last.json += json;
  Object.assign(last.rest, rest);
}

const absent: ReadonlySet<string> = new Set(["null", "None", "undefined"]);

/**
 * Some servers give every call the index 0, or none, and some each piece of one call an id of its own: a call takes all that
 * comes until its arguments are whole, unless another tool is named.
 */
function beginsAnother(last: OpenCall, piece: { id: string; name: string; json: string }): boolean {
  const isOtherId = piece.id !== "" && last.id !== undefined && piece.id !== last.id;
  const isOtherName = piece.name !== "" && last.name !== "" && piece.name !== last.name;
  if (isOtherName) return true;
  // Most are such, and what there is of a call may be long.
  if (!isOtherId && piece.name === "") return false;
  // What a piece names beside arguments of its own may go on with a call of which nothing but the name came.
  if (last.json.trim() === "") return isOtherId && piece.name !== "" && piece.json.trim() === "";
  const isAnother =
    (isOtherId && (piece.name !== "" || piece.json.trim() !== "")) ||
    (piece.name !== "" && !isSameId(last, piece));
  return isAnother && isWhole(last.json);
}

const isSameId = (last: OpenCall, { id }: { id: string }) => id !== "" && id === last.id;

/** Arguments are an object: nothing less is whole. */
const isWhole = (json: string) => json.trimEnd().endsWith("}") && typeof jsonIn(json) === "object";

/** @returns the text itself where it is no JSON: the tool's validation tells the model */
export function inputOf(json: string): unknown {
  if (json.trim() === "" || absent.has(json.trim())) return {};
  const input = jsonIn(json);
  // Written as text once more.
  const inner = typeof input === "string" ? jsonIn(input) : input;
  if (inner === null || input === "") return {};
  return typeof inner === "object" ? inner : json;
}

function usageOf(counted: Chunk["usage"]): Usage | undefined {
  if (!counted) return undefined;
  const cached = Math.round(counted.prompt_tokens_details?.cached_tokens ?? 0);
  return {
    inputTokens: Math.max(0, Math.round(counted.prompt_tokens ?? 0) - cached),
    outputTokens: Math.round(counted.completion_tokens ?? 0),
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}

function stopReasonOf(finish: string): ModelStopReason {
  switch (finish) {
    case "length":
    case "max_tokens":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    case "tool_calls":
    case "function_call":
      return "tool_use";
    default:
      return "end_turn";
  }
}
