import type { ZodType } from "zod";
import type { UserError } from "../../shared/events.ts";
import type { ContentBlock, SpeechSource, Usage } from "../../shared/messages.ts";

/** What the agent needs from outside. It imports nothing but these and `shared/`; `main.ts` passes the parts in. */

/** Words heard from the computer's own sound stand between these tags in a request: somebody else's text, as data. */
export const overheardTag = "overheard";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
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
 * provider starts the message again after the stream broke. Only ever after a `retry`.
 */
export type ModelStreamEvent =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "retry"; attempt: number; delayMs: number; reason: string }
  | { type: "reset" }
  | { type: "message"; message: AssistantMessage };

export interface ProviderCapabilities {
  /** Tokens; undefined where the provider does not say. */
  contextWindow?: number;
  tools: boolean;
}

export interface Provider {
  readonly id: string;
  readonly capabilities: ProviderCapabilities;
  /** The full id behind an alias; anything else comes back as it is. */
  resolveModel(name: string): string;
  /**
   * Streams one reply. Retries by itself, saying so with `retry`.
   * @throws ModelError when it gives up; the signal's reason when aborted
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamEvent>;
  /** The provider's own tool schemas. */
  convertTools(tools: readonly Tool[]): unknown[];
}

export type ModelErrorCode =
  | "auth"
  | "rate_limit"
  | "overloaded"
  | "server"
  | "network"
  | "timeout"
  | "invalid_request"
  | "not_found";

/** A model request that failed, in words for the user. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly hint: string;
  /** How long the server asks to wait before the next try, where it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    hint: string,
    options?: ErrorOptions & { retryAfterMs?: number | undefined },
  ) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.retryAfterMs = options?.retryAfterMs;
  }

  toUserError(): UserError {
    return { code: this.code, message: this.message, hint: this.hint };
  }
}

/** What permission rules go by. `app` acts on Parley itself. Only `read` changes nothing. */
export type ToolEffect = "read" | "write" | "execute" | "network" | "app";

export interface ToolContext {
  conversationId: string;
  /** Where the prompt of this run was heard, null if typed. */
  source: SpeechSource | null;
  environment: ExecutionEnvironment;
  signal: AbortSignal;
}

export interface ToolOutput {
  text: string;
  isError?: boolean;
}

export interface Tool<I = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: ZodType<I>;
  readonly effect: ToolEffect;
  /** May throw: the runner turns it into an `is_error` result. */
  run(input: I, context: ToolContext): Promise<ToolOutput>;
}

export interface DirectoryEntry {
  name: string;
  kind: "file" | "directory" | "symlink" | "other";
  /** Bytes; undefined for anything but files. */
  size?: number;
}

/**
 * The only way for tools to files (and, later, processes). Paths are relative to the working directory or
 * absolute inside it; what lies outside is refused, symbolic links followed.
 * @throws EnvironmentError
 */
export interface ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
  /** At most `maxBytes` from the start. */
  readFile(path: string, options: { maxBytes: number }): Promise<{ bytes: Uint8Array; totalBytes: number }>;
  listDirectory(path: string): Promise<DirectoryEntry[]>;
}

/** A file operation that failed, in words that help the model (and the user) go on. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}
