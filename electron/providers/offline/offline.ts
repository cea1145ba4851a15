import type { EffortSupport } from "../../../shared/conversation/effort.ts";
import type { ContentBlock, ToolResultBlock, ToolUseBlock } from "../../../shared/conversation/messages.ts";
import type { WhyOffline } from "../../../shared/ipc/model-routes.ts";
import {
  type ApiMessage,
  type AssistantMessage,
  type Clock,
  type ModelFacts,
  type ModelRequest,
  type ModelStreamEvent,
  overheardTag,
  type Provider,
  type Tool,
} from "../../agent/ports/ports.ts";
import { MessageAssembler, type RawEvent } from "../anthropic/message-assembler.ts";
import { wholeMessage } from "../complete.ts";
import { offlineProfile } from "../profiles.ts";
import { toolSchema } from "../tool-schema.ts";
import { answerTo, greetingText, helpText, notOffered, notUnderstood } from "./offline-answers.ts";
import { type OfflineRequest, understand } from "./offline-requests.ts";

/**
 * The assistant that answers without a key: deterministic, and plain about not being a model. It understands the
 * requests that `offline-requests.ts` lists, and goes the whole way of a model: tool use blocks whose input streams
 * in pieces, results in the next request, and an answer streamed in small pieces.
 */
export class OfflineProvider implements Provider {
  readonly id = "offline";
  readonly profile = offlineProfile;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #why: WhyOffline;

  constructor({ clock, newId, why }: { clock: Clock; newId(): string; why: WhyOffline }) {
    this.#why = why;
    this.#clock = clock;
    this.#newId = newId;
  }

  resolveModel(): string {
    return "offline";
  }

  /** It reads only the newest prompt, so no history is ever too long, and it costs nothing. */
  modelFacts(): ModelFacts {
    return {
      contextWindow: Number.MAX_SAFE_INTEGER,
      maxOutputTokens: Number.MAX_SAFE_INTEGER,
      price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    };
  }

  efforts(): EffortSupport {
    return { taken: [], why: "It is not a model." };
  }

  async listModels(): Promise<null> {
    return null;
  }

  takesImages(): boolean {
    return false;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    signal.throwIfAborted();
    const reply = new MessageAssembler();
    for await (const event of this.#events(replyTo(request, this.#why), signal)) {
      const told = reply.take(event);
      if (told) yield told;
    }
  }

  complete(request: ModelRequest, signal: AbortSignal): Promise<AssistantMessage> {
    return wholeMessage(this.stream(request, signal));
  }

  convertTools(tools: readonly Tool[]) {
    return tools.map((tool) => ({ name: tool.name, input_schema: toolSchema(tool) }));
  }

  async *#events(reply: Reply, signal: AbortSignal): AsyncGenerator<RawEvent> {
    yield { type: "message_start", message: { model: "offline", usage: { output_tokens: 0 } } };
    let index = 0;
    if (reply.text !== "") {
      yield { type: "content_block_start", index, content_block: { type: "text", text: "" } };
      for (const text of pieces(reply.text)) {
        await this.#clock.sleep(pieceMs, signal);
        yield { type: "content_block_delta", index, delta: { type: "text_delta", text } };
      }
      yield { type: "content_block_stop", index };
      index++;
    }
    for (const { tool: name, input } of reply.calls) {
      const id = `toolu_${this.#newId()}`;
      yield { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } };
      for (const partial_json of JSON.stringify(input).match(/.{1,8}/gsu) ?? []) {
        yield { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } };
      }
      yield { type: "content_block_stop", index };
      index++;
    }
    const stop_reason = reply.calls.length > 0 ? "tool_use" : "end_turn";
    yield { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 0 } };
    yield { type: "message_stop" };
  }
}

type ToolRequest = Extract<OfflineRequest, { kind: "tool" }>;

interface Reply {
  text: string;
  calls: ToolRequest[];
}

/** First round: the calls, or the answer where none is needed. Second round: the answer. */
function replyTo({ messages, tools }: ModelRequest, why: WhyOffline): Reply {
  const { requests, rest } = understand(lastPrompt(messages));
  const wanted = requests.filter((request) => request.kind === "tool");
  const offered = wanted.filter(({ tool }) => tools.some(({ name }) => name === tool));
  const results = lastResults(messages);
  if (offered.length > 0 && !results) return { text: "", calls: offered };

  const paragraphs = (results ?? []).map(([call, result]) => answerTo(call, result));
  const missing = wanted.filter((request) => !offered.includes(request)).map(({ tool }) => tool);
  if (missing.length > 0) paragraphs.push(notOffered(missing));
  if (requests.some(({ kind }) => kind === "help")) paragraphs.push(helpText(why));
  if (rest.length > 0) paragraphs.push(notUnderstood(rest, why));
  if (paragraphs.length === 0) paragraphs.push(greetingText);
  return { text: paragraphs.join("\n\n"), calls: [] };
}

/** The newest prompt. Earlier ones that got no reply stand before it in the same message. */
function lastPrompt(messages: readonly ApiMessage[]): string {
  const texts = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content.flatMap((block) => (block.type === "text" ? [block.text] : [])));
  return (texts.at(-1) ?? "").replace(overheard, "$1").trim();
}

const overheard = new RegExp(`^<${overheardTag}>\\n([\\s\\S]*)\\n</${overheardTag}>$`);

/** The results that wait for an answer, each with its call; null when the last message is a prompt. */
function lastResults(messages: readonly ApiMessage[]): [ToolUseBlock, ToolResultBlock][] | null {
  const last = messages.at(-1)?.content ?? [];
  if (last.length === 0 || !last.every((block) => block.type === "tool_result")) return null;
  const calls = messages.at(-2)?.content.filter(isToolUse) ?? [];
  return last.flatMap((result) => {
    const call = calls.find(({ id }) => id === result.tool_use_id);
    return call ? [[call, result] satisfies [ToolUseBlock, ToolResultBlock]] : [];
  });
}

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";

const pieceMs = 15;

/** Words, or longer pieces of a long text: it should look alive, not take a minute. */
function pieces(text: string): string[] {
  const least = Math.ceil(text.length / 60);
  const found: string[] = [];
  let piece = "";
  for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
    piece += word;
    if (piece.length < least) continue;
    found.push(piece);
    piece = "";
  }
  if (piece !== "") found.push(piece);
  return found;
}
