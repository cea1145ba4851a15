import { z } from "zod";
import { replyPhase, type Usage } from "../../../shared/conversation/messages.ts";
import type { ModelStreamEvent } from "../../agent/ports/ports.ts";
import type { ReplyBuilder } from "../reply-builder.ts";
import type { ServerSentEvent } from "../server-sent-events.ts";
import type { StreamEvents } from "../watched-attempt.ts";
import { inputOf } from "./openai-stream.ts";
import { ResponseFailure } from "./response-failure.ts";
import { reasoningSignature } from "./responses-request.ts";

/** What is read of an event of the stream. Events and items of other types are passed over. */
const count = z.number().nonnegative().nullish();
const failure = z.object({ code: z.string().nullish(), message: z.string().nullish() });
const delta = z.object({ delta: z.string() });
const item = z.object({
  type: z.string(),
  id: z.string().nullish(),
  encrypted_content: z.string().nullish(),
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
  status: z.string().nullish(),
  phase: replyPhase.nullish().catch(null),
});
const ended = z.object({
  response: z.object({
    model: z.string().nullish(),
    error: failure.nullish(),
    incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
    usage: z
      .object({
        input_tokens: count,
        output_tokens: count,
        input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish(),
      })
      .nullish(),
  }),
});

/** A line of the stream as data. @throws SyntaxError where it is no JSON */
export const readResponseEvent = ({ data }: ServerSentEvent): unknown =>
  data === "[DONE]" ? null : JSON.parse(data);

interface ResponsesReply {
  reply: ReplyBuilder;
  /** The model that was asked for, where the server does not name one. */
  model: string;
  /** Whose the reasoning is; see `responsesOwner`. */
  owner: string;
}

/**
 * Turns the events of a streamed response into deltas and one whole message. Calls are taken whole, from the end of their
 * item; reasoning is signed with what the API seals it with, and goes before what it led to.
 * @throws ResponseFailure
 */
export async function* assembleResponse(
  pieces: AsyncIterable<unknown[]>,
  { reply, model, owner }: ResponsesReply,
): AsyncGenerator<StreamEvents> {
  let isRefused = false;
  let hasSummary = false;
  for await (const piece of pieces) {
    const events = piece.flatMap(take);
    if (events.length > 0) yield events;
  }

  function take(event: unknown): ModelStreamEvent[] {
    const { type } = z.object({ type: z.string() }).catch({ type: "" }).parse(event);
    switch (type) {
      case "response.output_text.delta":
        return reply.text(deltaOf(event));
      case "response.refusal.delta":
        isRefused = true;
        return reply.text(deltaOf(event));
      case "response.reasoning_summary_part.added":
        return hasSummary ? reply.thinking("\n\n") : [];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        hasSummary = true;
        return reply.thinking(deltaOf(event));
      case "response.output_item.done":
        takeItem(z.object({ item }).parse(event).item);
        return [];
      case "response.completed":
      case "response.incomplete":
        return [end(ended.parse(event).response)];
      case "response.failed":
        throw new ResponseFailure(ended.parse(event).response.error ?? {});
      case "error":
        throw new ResponseFailure(errorIn(event));
      default:
        return [];
    }
  }

  function takeItem(done: z.infer<typeof item>): void {
    if (done.type === "reasoning") {
      hasSummary = false;
      // Without a seal it is only to be read.
      if (done.id && done.encrypted_content)
        reply.sign(reasoningSignature(owner, done.id, done.encrypted_content));
    }
    // A reply may have several: what is said on the way, and the answer.
    if (done.type === "message") reply.endText(done.phase ?? undefined);
    // The call that was being written when the limit cut it: running half of it would be wrong.
    if (done.type !== "function_call" || done.status === "incomplete") return;
    reply.call(done.call_id ?? undefined, done.name || "unknown", inputOf(done.arguments ?? ""));
  }

  function end({ model: named, incomplete_details, usage }: z.infer<typeof ended>["response"]) {
    const reason = incomplete_details?.reason;
    const stop = isRefused || reason === "content_filter" ? "refusal" : reason ? "max_tokens" : "end_turn";
    return reply.finish(stop, usageOf(usage), named || model);
  }
}

const deltaOf = (event: unknown) => delta.parse(event).delta;

/** Either in the event itself, or in a field of it. */
function errorIn(event: unknown): z.infer<typeof failure> {
  const { error, ...own } = failure.extend({ error: failure.nullish() }).parse(event);
  return error ?? own;
}

function usageOf(counted: z.infer<typeof ended>["response"]["usage"]): Usage {
  const cached = Math.round(counted?.input_tokens_details?.cached_tokens ?? 0);
  const written = Math.round(counted?.input_tokens_details?.cache_write_tokens ?? 0);
  return {
    inputTokens: Math.max(0, Math.round(counted?.input_tokens ?? 0) - cached - written),
    outputTokens: Math.round(counted?.output_tokens ?? 0),
    cacheReadTokens: cached,
    cacheWriteTokens: written,
  };
}
