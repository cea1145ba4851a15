import type { GenerateContentResponse, GenerateContentResponseUsageMetadata } from "@google/genai";
import type { Usage } from "../../../shared/conversation/messages.ts";
import { ModelError, type ModelStopReason, type ModelStreamEvent } from "../../agent/ports/ports.ts";
import { connectionCut } from "../api-errors.ts";
import { markedSignature } from "../openai/thinking-marks.ts";
import type { ReplyBuilder } from "../reply-builder.ts";
import { untilFinished } from "../watched-attempt.ts";
import { geminiOwner } from "./gemini-request.ts";

/**
 * Turns the chunks of `streamGenerateContent` into deltas and one whole message. Calls come whole; a call's thought
 * signature is kept as signed thinking right before it.
 * @param askedFor the model, where the server does not name one
 * @throws ModelError `network` when the stream ends before a finish reason, `server` when the model's call is broken
 */
export async function* assembleGemini(
  chunks: AsyncIterable<GenerateContentResponse>,
  reply: ReplyBuilder,
  askedFor: string,
): AsyncGenerator<ModelStreamEvent> {
  let model = askedFor;
  let finish: string | undefined;
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for await (const chunk of untilFinished(chunks, () => finish !== undefined)) {
    model = chunk.modelVersion || model;
    usage = usageOf(chunk.usageMetadata) ?? usage;
    const [candidate] = chunk.candidates ?? [];
    for (const { text, thought, thoughtSignature, functionCall } of candidate?.content?.parts ?? []) {
      yield* thought ? reply.thinking(text ?? "") : reply.text(text ?? "");
      if (!functionCall) continue;
      if (thoughtSignature) reply.sign(markedSignature(geminiOwner, thoughtSignature));
      reply.call(functionCall.id, functionCall.name || "unknown", functionCall.args ?? {});
    }
    // A prompt that is blocked has no candidate.
    finish = candidate?.finishReason ?? (chunk.promptFeedback?.blockReason ? "SAFETY" : finish);
  }
  if (finish === undefined) throw connectionCut();
  yield reply.finish(stopReasonOf(finish), usage, model);
}

function usageOf(counted: GenerateContentResponseUsageMetadata | undefined): Usage | undefined {
  if (counted?.promptTokenCount === undefined) return undefined;
  const cached = counted.cachedContentTokenCount ?? 0;
  return {
    inputTokens: Math.max(0, counted.promptTokenCount - cached),
    outputTokens: (counted.candidatesTokenCount ?? 0) + (counted.thoughtsTokenCount ?? 0),
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}

function stopReasonOf(finish: string): ModelStopReason {
  switch (finish) {
    case "MAX_TOKENS":
      return "max_tokens";
    case "SAFETY":
    case "RECITATION":
    case "LANGUAGE":
    case "BLOCKLIST":
    case "PROHIBITED_CONTENT":
    case "SPII":
      return "refusal";
    case "MALFORMED_FUNCTION_CALL":
    case "UNEXPECTED_TOOL_CALL":
      throw new ModelError("server", "The model's tool call arrived damaged.", "Try again.");
    default:
      return "end_turn";
  }
}
