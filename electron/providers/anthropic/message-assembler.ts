import type Anthropic from "@anthropic-ai/sdk";
import type { ContentBlock, Usage } from "../../../shared/conversation/messages.ts";
import {
  type AssistantMessage,
  ModelError,
  type ModelStopReason,
  type ModelStreamEvent,
} from "../../agent/ports/ports.ts";

/** What is read of the API's events: its own types fit, and a provider of ours can make such events. */
export type RawEvent =
  | { type: "message_start"; message: { model: string; usage: CountedTokens } }
  | { type: "content_block_start"; index: number; content_block: RawBlock | ForeignBlock }
  | { type: "content_block_delta"; index: number; delta: Anthropic.RawContentBlockDelta }
  | { type: "content_block_stop"; index: number }
  | {
      type: "message_delta";
      delta: { stop_reason: Anthropic.StopReason | null };
      usage: CountedTokens;
    }
  | { type: "message_stop" };

export type RawBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

type ForeignBlock = {
  type: Exclude<Anthropic.RawContentBlockStartEvent["content_block"]["type"], RawBlock["type"]>;
};

export interface CountedTokens {
  input_tokens?: number | null;
  output_tokens: number;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
}

/**
 * Turns the event stream of one reply of the Messages API into deltas and one whole message. Events, blocks and deltas
 * of kinds it does not know are passed over: the API may add some at any time.
 */
export class MessageAssembler {
  readonly #blocks: OpenBlock[] = [];
  readonly #usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  #model = "";
  #stopReason: Anthropic.StopReason | null = null;

  /** @returns what is told of the event, null for nothing @throws ModelError `server` when a tool's input is not JSON */
  take(event: RawEvent): ModelStreamEvent | null {
    switch (event.type) {
      case "message_start":
        this.#model = event.message.model;
        addUsage(this.#usage, event.message.usage);
        return null;
      case "content_block_start": {
        const block = openBlock(event.content_block);
        const gap = gapBefore(this.#blocks, event.index);
        if (block) this.#blocks[event.index] = block;
        return block?.type === "text" && block.text !== "" ? { type: "text", text: gap + block.text } : null;
      }
      case "content_block_delta": {
        const gap = gapBefore(this.#blocks, event.index);
        const shown = addDelta(this.#blocks[event.index], event.delta);
        if (shown?.type === "text") shown.text = gap + shown.text;
        return shown;
      }
      case "message_delta":
        this.#stopReason = event.delta.stop_reason ?? this.#stopReason;
        addUsage(this.#usage, event.usage);
        return null;
      case "message_stop":
        return {
          type: "message",
          message: finished(this.#blocks, this.#stopReason, this.#usage, this.#model),
        };
      default:
        return null;
    }
  }
}

type OpenBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  /** `json` grows by the deltas; `input` counts where none came. */
  | { type: "tool_use"; id: string; name: string; json: string; input: unknown };

function openBlock(block: RawBlock | ForeignBlock): OpenBlock | null {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.thinking, signature: block.signature };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: block.data };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, json: "", input: block.input };
    default:
      return null;
  }
}

function addDelta(
  block: OpenBlock | undefined,
  delta: Anthropic.RawContentBlockDelta,
): ModelStreamEvent | null {
  if (block?.type === "text" && delta.type === "text_delta") {
    block.text += delta.text;
    if (delta.text === "") return null;
    return { type: "text", text: delta.text };
  }
  if (block?.type === "thinking" && delta.type === "thinking_delta") {
    block.thinking += delta.thinking;
    return { type: "thinking", text: delta.thinking };
  }
  if (block?.type === "thinking" && delta.type === "signature_delta") block.signature += delta.signature;
  if (block?.type === "tool_use" && delta.type === "input_json_delta") block.json += delta.partial_json;
  return null;
}

/** Text blocks are read as paragraphs: where a later one begins, its first delta begins with a blank line. */
function gapBefore(blocks: readonly OpenBlock[], index: number): string {
  const current = blocks[index];
  if (index === 0 || (current?.type === "text" && current.text !== "")) return "";
  return blocks.slice(0, index).some((block) => block?.type === "text" && block.text !== "") ? "\n\n" : "";
}

/** Every count is cumulative, and `message_delta` repeats only some. */
function addUsage(usage: Usage, counted: CountedTokens): void {
  usage.inputTokens = counted.input_tokens ?? usage.inputTokens;
  usage.outputTokens = counted.output_tokens ?? usage.outputTokens;
  usage.cacheReadTokens = counted.cache_read_input_tokens ?? usage.cacheReadTokens;
  usage.cacheWriteTokens = counted.cache_creation_input_tokens ?? usage.cacheWriteTokens;
}

function finished(
  blocks: readonly OpenBlock[],
  reason: Anthropic.StopReason | null,
  usage: Usage,
  model: string,
): AssistantMessage {
  const stopReason = stopReasonOf(reason);
  // Indexes of blocks that were passed over leave holes, which flat() closes.
  const whole = blocks.flat().filter((block) => block.type !== "text" || block.text !== "");
  // The call that was being written when the limit cut it: running half of it would be wrong.
  if (stopReason === "max_tokens" && whole.at(-1)?.type === "tool_use") whole.pop();
  return { content: whole.map(contentOf), stopReason, usage, model };
}

function contentOf(block: OpenBlock): ContentBlock {
  if (block.type !== "tool_use") return block;
  const { type, id, name, json, input } = block;
  return { type, id, name, input: json === "" ? input : parsed(json, name) };
}

function parsed(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const message = `The model's call to ${name} arrived damaged.`;
    throw new ModelError("server", message, "Try again.", { cause });
  }
}

function stopReasonOf(reason: Anthropic.StopReason | null): ModelStopReason {
  switch (reason) {
    case "tool_use":
    case "max_tokens":
    case "refusal":
      return reason;
    case "model_context_window_exceeded":
      return "max_tokens";
    default:
      return "end_turn";
  }
}
