import type { Price } from "../../../shared/conversation/cost.ts";
import type { Effort, EffortSupport } from "../../../shared/conversation/effort.ts";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { ContentBlock, Usage } from "../../../shared/conversation/messages.ts";
import type { Tool } from "./tool-port.ts";

export interface Provider {
  readonly id: string;
  readonly profile: Profile;
  /** Its model runs on this computer and costs nothing, as far as is known. */
  readonly isLocal?: boolean;
  modelFacts(model: string): ModelFacts;
  /** Whether the model sees images, as far as is known: tools show it none otherwise. */
  takesImages(model: string): boolean;
  /** Which efforts the model takes, as far as is known. */
  efforts(model: string): EffortSupport;
  /** Asks its server how large the model's window is, where that is not known: `modelFacts` tells it then. Soon; never throws. */
  learnWindow?(model: string, signal: AbortSignal): Promise<void>;
  /** The full id behind an alias; anything else comes back as it is. */
  resolveModel(name: string): string;
  /**
   * Streams one reply. Retries by itself, saying so with `retry`.
   * @throws ModelError when it gives up; the signal's reason when aborted
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent>;
  /** One whole reply, for compaction and titles. Throws as `stream` does. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<AssistantMessage>;
  /** Loads its client and opens the connection that the next request takes. Sends nothing of the user's; never throws. */
  connect?(): Promise<void>;
  /**
   * The models that it offers, in its own order; null: it offers none to choose from.
   * @throws ModelError where it cannot be asked; the signal's reason when aborted
   */
  listModels(signal: AbortSignal): Promise<ListedModel[] | null>;
  /** The provider's own tool schemas. */
  convertTools(tools: readonly Tool[]): unknown[];
}

/** A message as a provider sends it: roles alternate, `tool_result` blocks first. */
export interface ApiMessage {
  role: "user" | "assistant";
  content: ContentBlock[];
}

export interface ModelRequest {
  /** As in the settings: an alias or a full id. */
  model: string;
  system: string;
  messages: ApiMessage[];
  tools: readonly Tool[];
  maxTokens: number;
  temperature: number;
  /** How much it should think, where it takes that; absent: `default`. */
  effort?: Effort | undefined;
}

/** A model that a provider offers. */
export interface ListedModel {
  id: string;
  /** As its maker calls it, where the provider says so. */
  name?: string | undefined;
}

/** Why the model ended its message. */
export type ModelStopReason = "end_turn" | "tool_use" | "max_tokens" | "refusal";

export interface AssistantMessage {
  content: ContentBlock[];
  stopReason: ModelStopReason;
  usage: Usage;
  model: string;
}

/**
 * What a provider streams: deltas, then exactly one `message` with the whole. `reset` voids the text so far: the
 * provider starts the message again after the stream broke, or what it took for text was thinking.
 */
export type ModelStreamEvent =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  /** `skip` ends the wait at once; false: it has ended by itself. */
  | { type: "retry"; attempt: number; of: number; delayMs: number; reason: string; skip(): boolean }
  | { type: "reset" }
  /** What the user should know of how it is asked, told once. */
  | { type: "notice"; text: string }
  | { type: "message"; message: AssistantMessage };

/** What a provider's models do best with: which tools they are offered and what they are told beside the rest. */
export interface Profile {
  /** Tools of this list are offered; others are left out, even where they exist. */
  toolNames: readonly string[];
  /** Lines for the system prompt. */
  notes: string;
  /** Project documents read beside AGENTS.md, such as CLAUDE.md. */
  projectDocuments: readonly string[];
}

/** What is known of a model, from the one table. */
export interface ModelFacts {
  /** Tokens. */
  contextWindow: number;
  /** Tokens of one reply. */
  maxOutputTokens: number;
  /** undefined: not known, counts as nothing, and the user is told once. */
  price: Price | undefined;
  /** The last month that its knowledge reaches to, in words; undefined: not known. */
  knowledgeCutoff?: string | undefined;
}

export type ModelErrorCode =
  | "auth"
  /** One is wanted, and there is none. */
  | "no_key"
  /** The account is out of credit: asking again does not help. */
  | "no_credit"
  | "rate_limit"
  | "overloaded"
  | "server"
  | "network"
  | "timeout"
  | "invalid_request"
  /** The prompt does not fit into the model's context: compacting may help. */
  | "context_length"
  | "not_found";

/** A model request that failed, in words for the user. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly hint: string;
  /** How long the server asks to wait before the next try, where it said so. */
  readonly retryAfterMs: number | undefined;
  /** The variable of the key that was refused, or that is missing. */
  readonly keyVariable: string | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    hint: string,
    options?: ErrorOptions & { retryAfterMs?: number | undefined; keyVariable?: string | undefined },
  ) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.retryAfterMs = options?.retryAfterMs;
    this.keyVariable = options?.keyVariable;
  }

  toUserError(): UserError {
    const { code, message, hint, keyVariable } = this;
    return { code, message, hint, ...(keyVariable !== undefined && { keyVariable }) };
  }
}
