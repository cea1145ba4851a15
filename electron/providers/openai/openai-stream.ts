import { z } from "zod";
import type { Usage } from "../../../shared/conversation/messages.ts";
import { ModelError, type ModelStopReason, type ModelStreamEvent } from "../../agent/ports/ports.ts";
import { connectionCut } from "../api-errors.ts";
import type { ReplyBuilder } from "../reply-builder.ts";
import { untilFinished } from "../watched-attempt.ts";
import { contentSignature, detailsSignature, ReasoningDetails } from "./chat-reasoning.ts";

/** What is read of a chunk. Servers leave out or null whatever they like. */
const callDelta = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      // Some give the object itself.
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
type CallDelta = z.infer<typeof callDelta>;

/** Mistral's models that think say both in parts. Parts of other types are passed over. */
const saidPart = z.looseObject({ type: z.string().nullish(), text: z.string().nullish() });
const thoughtPart = z.object({ thinking: z.union([z.string(), z.array(saidPart)]) });
const contentShape = z.union([z.string(), z.array(z.unknown())]).nullish();

const count = z.number().nonnegative().nullish();
const chunkShape = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: contentShape,
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            reasoning_details: z.array(z.unknown()).nullish().catch(null),
            tool_calls: z.array(callDelta).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
    })
    .nullish(),
});

export interface ChatReply {
  reply: ReplyBuilder;
  /** The model that was asked for, where the server does not name one. */
  model: string;
  /** Whose the reasoning is. */
  host: string;
}

/**
 * Turns the chunks of a Chat Completions stream into deltas and one whole message. Works without ids, without usage,
 * and whether arguments come in pieces, in one or not at all.
 * @throws ModelError `network` when the stream ends before a finish reason, `server` for chunks of another shape
 */
export async function* assembleChat(
  chunks: AsyncIterable<unknown>,
  { reply, model: askedFor, host }: ChatReply,
): AsyncGenerator<ModelStreamEvent> {
  const calls: OpenCall[] = [];
  let model = askedFor;
  let finish: string | null = null;
  let refused = false;
  let reasoned = false;
  const details = new ReasoningDetails();
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for await (const raw of untilFinished(chunks, () => finish !== null)) {
    const chunk = parsed(raw);
    model = chunk.model || model;
    usage = usageOf(chunk.usage) ?? usage;
    const choice = chunk.choices?.[0];
    const { content, refusal, reasoning_content, reasoning, tool_calls } = choice?.delta ?? {};
    const { text, thinking } = saidIn(content);
    reasoned ||= Boolean(reasoning_content);
    details.add(choice?.delta?.reasoning_details ?? []);
    yield* reply.thinking(reasoning_content || reasoning || thinking);
    yield* reply.text(text);
    refused ||= Boolean(refusal);
    yield* reply.text(refusal ?? "");
    for (const delta of tool_calls ?? []) addCall(calls, delta);
    finish = choice?.finish_reason ?? finish;
  }
  if (finish === null) throw connectionCut();
  if (finish === "error") throw new ModelError("server", "The model broke off.", "Try again in a moment.");
  if (details.whole.length > 0) reply.sign(detailsSignature(host, details.whole));
  else if (reasoned) reply.sign(contentSignature(host));
  const reason = refused ? "refusal" : stopReasonOf(finish);
  for (const { id, name, json } of calls) {
    const input = inputOf(json);
    // The call that was being written when the limit cut it: running half of it would be wrong.
    if (reason === "max_tokens" && typeof input === "string") continue;
    reply.call(id, name, input);
  }
  yield reply.finish(reason, usage, model);
}

function parsed(raw: unknown): z.infer<typeof chunkShape> {
  const result = chunkShape.safeParse(raw);
  if (result.success) return result.data;
  const message = "The server does not stream in the Chat Completions format.";
  throw new ModelError("server", message, "Check the base URL.", { cause: result.error });
}

function saidIn(content: z.infer<typeof contentShape>): { text: string; thinking: string } {
  if (typeof content === "string" || !content) return { text: content ?? "", thinking: "" };
  let text = "";
  let thinking = "";
  for (const part of content) {
    const said = saidPart.safeParse(part).data;
    if (said?.type === "text") text += said.text ?? "";
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
}

function addCall(calls: OpenCall[], { index, id, function: called }: CallDelta): void {
  const name = called?.name ?? "";
  const given = called?.arguments ?? "";
  const json = typeof given === "string" ? given : JSON.stringify(given);
  const last = index == null ? calls.at(-1) : calls.findLast(({ key }) => key === index);
  if (!last || beginsAnother(last, id ?? undefined, name)) {
    calls.push({ key: index ?? calls.length, id: id || undefined, name, json });
    return;
  }
  last.id ??= id || undefined;
  // A repeated name is the same name; one in pieces does not occur.
  if (last.name === "") last.name = name;
  last.json += json;
}

/** Some servers give every call the index 0, or none: then another id, or a name after whole arguments, is a new one. */
function beginsAnother(last: OpenCall, id: string | undefined, name: string): boolean {
  if (id && last.id) return id !== last.id;
  return name !== "" && last.name !== "" && (name !== last.name || isWhole(last.json));
}

const isWhole = (json: string) => json !== "" && typeof inputOf(json) !== "string";

/** @returns the text itself where it is no JSON: the tool's validation tells the model */
export function inputOf(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function usageOf(counted: z.infer<typeof chunkShape>["usage"]): Usage | undefined {
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
