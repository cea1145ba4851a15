import type { ZodType } from "zod";
import type { AgentEvent, ApprovalWish, ToolEffect, UserError } from "../../shared/events.ts";
import type { QuestionForm } from "../../shared/forms.ts";
import type { ContentBlock, ImageBlock, Message, SpeechSource, Usage } from "../../shared/messages.ts";
import type { ApprovalScope, PermissionRule } from "../../shared/permissions.ts";
import type { Settings } from "../../shared/settings.ts";

/** What the agent needs from outside. It imports nothing but these and `shared/`; `main.ts` passes the parts in. */

export { outsideTag, overheardTag, spokenTag } from "../../shared/data-marks.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms`: cheaper than a sleep that is nearly always ended early. @returns what calls it off */
  after(ms: number, run: () => void): () => void;
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
  tools: boolean;
  images: boolean;
  caching: boolean;
}

/** What a provider's models do best with: which tools they are offered and what they are told beside the rest. */
export interface Profile {
  /** Tools of this list are offered; others are left out, even where they exist. */
  toolNames: readonly string[];
  /** Lines for the system prompt. */
  notes: string;
  /** Project documents read beside AGENTS.md, such as CLAUDE.md. */
  projectDocuments: readonly string[];
}

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What is known of a model, from the one table. */
export interface ModelFacts {
  /** Tokens. */
  contextWindow: number;
  /** Tokens of one reply. */
  maxOutputTokens: number;
  /** undefined: not known, counts as nothing, and the user is told once. */
  price: Price | undefined;
}

export interface Provider {
  readonly id: string;
  readonly capabilities: ProviderCapabilities;
  readonly profile: Profile;
  modelFacts(model: string): ModelFacts;
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

export interface ToolContext {
  conversationId: string;
  toolUseId: string;
  /** Where the prompt of this run was heard, null if typed. */
  source: SpeechSource | null;
  settings: Settings;
  environment: ExecutionEnvironment;
  signal: AbortSignal;
  /** Shows what the tool says before it has ended; the result is still the whole. */
  progress(text: string): void;
  /** Asks the user. @returns the answer; rejects when the run is aborted */
  ask(question: Question): Promise<string>;
  /** Has the user allow something that the call does beside itself, by hand. Denied when the run is aborted. */
  approve(request: AsideRequest): Promise<{ allowed: boolean }>;
  subagents: Subagents;
  /** The whole output of an earlier call of this conversation, before it was truncated. */
  fullOutput(toolUseId: string): string | undefined;
}

export interface Question {
  question: string;
  options: { label: string; description?: string | undefined }[];
  /** Fields in place of options: the answer is a `FormAnswer`, as JSON, and cannot be spoken. */
  form?: QuestionForm | undefined;
}

/** What a call wants to do beside itself. */
export interface AsideRequest {
  /** Who wants it. */
  name: string;
  effect: ToolEffect;
  wish: ApprovalWish;
  /** Exactly what will be done. */
  detail: string;
  why: string;
}

/** Agents of a run's own: a history of their own, the environment of the conversation. */
export interface Subagents {
  /** Starts one on a task. @returns its id @throws Error at the depth limit */
  spawn(task: string, options?: { maxTurns?: number | undefined }): string;
  /** Steers one that runs, or gives one that has ended something new to do. @throws Error for an unknown id */
  sendInput(agentId: string, text: string): void;
  /** Waits until it has ended or `timeoutMs` have passed. @throws Error for an unknown id */
  wait(agentId: string, timeoutMs: number): Promise<SubagentReport>;
  /** Ends it; what it did stays done. @throws Error for an unknown id */
  close(agentId: string): Promise<void>;
}

export interface SubagentReport {
  status: "running" | "completed" | "failed";
  /** Its last words so far. */
  output: string;
  turns: number;
}

/** Decides whether a call may run. The conversation shows what waits; the answer comes through it. */
export interface Permissions {
  decide(call: { tool: Tool; input: unknown; context: ToolContext }): PermissionDecision;
  /** Takes what the user's yes says for later calls. Without it every call asks anew. */
  remember?(grant: PermissionGrant): void;
}

export type PermissionDecision =
  | { verdict: "allow" }
  | { verdict: "deny"; reason: string }
  | {
      /** The user decides. */
      verdict: "ask";
      /** Exactly what will run or change. */
      detail: string;
      /** Why it asks, where it is not just the mode. */
      why?: string | undefined;
      /** What a yes for longer than this call would write; none: it can only be allowed once. */
      rules?: readonly PermissionRule[] | undefined;
      /** Whether a spoken yes of the user's is enough. */
      mayBeSpoken?: boolean | undefined;
    };

export interface PermissionGrant {
  conversationId: string;
  scope: Exclude<ApprovalScope, "once">;
  rules: readonly PermissionRule[];
}

export interface ToolOutput {
  text: string;
  isError?: boolean;
  /** Beside the text: the model sees them where it can. */
  images?: ImageBlock[];
}

/** What an MCP server says of a tool of its own: never facts, so they can only make a rule stricter. */
export interface ToolHints {
  readOnly?: boolean | undefined;
  destructive?: boolean | undefined;
  openWorld?: boolean | undefined;
}

export interface Tool<I = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: ZodType<I>;
  readonly effect: ToolEffect;
  /** The input as JSON Schema, whole, in place of what `input` makes: tools of others bring their own. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly hints?: ToolHints | undefined;
  /** For the approval card, where the words of the effect are too general. */
  readonly wish?: ApprovalWish | undefined;
  /** Paths that a call reads or changes: two calls that share one run one after the other. */
  touchedPaths?(input: I): string[];
  /** `unknown`: a call may change files that nobody can name beforehand; so do all that execute, and need not say it. */
  readonly changes?: "unknown" | undefined;
  /** Exactly what a call will run or change, for the approval card; the input as JSON where there is none. */
  describe?(input: I): string;
  /** What a call would change in the files as they are now, as a unified diff. May throw, as the call would. */
  preview?(input: I, environment: ExecutionEnvironment): Promise<string>;
  /** Offered whatever the provider's profile names: a tool that is not one of Parley's own set. */
  readonly everyProfile?: boolean | undefined;
  /** Why this tool cannot be offered here (a missing program, another platform); undefined: it can. */
  unavailable?: string | undefined;
  /** May throw: the runner turns it into an `is_error` result. */
  run(input: I, context: ToolContext): Promise<ToolOutput>;
}

export interface DirectoryEntry {
  name: string;
  kind: "file" | "directory" | "symlink" | "other";
  /** Bytes; undefined for anything but files. */
  size?: number;
}

export interface FileStat {
  kind: DirectoryEntry["kind"];
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  /** Permission bits. */
  mode: number;
}

export interface ExecOptions {
  timeoutMs: number;
  signal: AbortSignal;
  /** Relative to the working directory. */
  workingDirectory?: string | undefined;
  /** Which of our own variables the child gets. */
  environmentPolicy: Settings["environmentPolicy"];
  /** Output as it comes, stdout and stderr in the order of arrival. */
  onOutput?: ((text: string) => void) | undefined;
}

export interface ExecResult {
  /** stdout and stderr as they came. */
  output: string;
  /** null when a signal ended it. */
  exitCode: number | null;
  timedOut: boolean;
  aborted: boolean;
  durationMs: number;
}

export interface GrepOptions {
  pattern: string;
  path?: string | undefined;
  /** Only files whose path matches. */
  glob?: string | undefined;
  ignoreCase?: boolean | undefined;
  mode: "content" | "files" | "count";
  /** Most lines of the answer. */
  limit: number;
  signal: AbortSignal;
}

/**
 * The only way for tools to files and processes. Paths are relative to the working directory or absolute inside it;
 * what lies outside is refused, symbolic links followed.
 * @throws EnvironmentError
 */
export interface ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
  initialize(): Promise<void>;
  /** At most `maxBytes` from the start. */
  readFile(path: string, options: { maxBytes: number }): Promise<{ bytes: Uint8Array; totalBytes: number }>;
  /** Whole or not at all; parents are made, an existing file keeps its mode. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  fileExists(path: string): Promise<boolean>;
  deleteFile(path: string): Promise<void>;
  moveFile(from: string, to: string): Promise<void>;
  stat(path: string): Promise<FileStat>;
  listDirectory(path: string): Promise<DirectoryEntry[]>;
  /** Runs a shell command in a process group of its own; at the end of it nothing of the group is left. */
  execCommand(command: string, options: ExecOptions): Promise<ExecResult>;
  /** @returns lines, and whether there were more than `limit` */
  grep(options: GrepOptions): Promise<{ lines: string[]; truncated: boolean }>;
  /** Files that match, newest first, and whether there were more than `limit`. */
  glob(options: { pattern: string; path?: string | undefined; limit: number; signal: AbortSignal }): Promise<{
    paths: string[];
    truncated: boolean;
  }>;
  /** Ends what still runs. */
  cleanup(): Promise<void>;
}

/** A tool call as it is kept: with its whole output, whatever the model saw of it. */
export interface StoredToolCall {
  toolUseId: string;
  /** The reply that asked for it. */
  messageId: string;
  name: string;
  input: unknown;
  output: string;
  isError: boolean;
  durationMs: number;
  wasTruncated: boolean;
  /** UTF-16 units. */
  originalChars: number;
}

export interface StoredConversation {
  id: string;
  /** Of a sub-agent: the conversation, or the sub-agent, that started it. Said when it is first saved; it stays. */
  parentId?: string | undefined;
  title: string;
  workingFolder: string;
  model: string;
  createdAt: number;
  updatedAt: number;
}

/** What one request cost. */
export interface StoredUsage {
  usage: Usage;
  /** The model that answered. */
  model: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** What is kept in one step with a message. */
export interface AppendedAlong {
  /** The prompt that it was while it waited. */
  inputId?: string | undefined;
  calls?: readonly StoredToolCall[] | undefined;
}

/**
 * Where conversations are kept. Every write but an event's is durable when it returns: a message before it is sent to
 * the model, a tool result before the next request. All methods throw StoreError.
 */
export interface ConversationStore {
  /** Makes it, or changes what is known of it. Its messages, calls and events come after this. */
  saveConversation(conversation: StoredConversation): void;
  /** The user's own, not those of sub-agents. Newest first, by the last change. */
  listConversations(limit: number): StoredConversation[];
  loadConversation(conversationId: string): StoredConversation | undefined;
  /**
   * Puts it behind the conversation's last message, whose time of change becomes the message's. In the same step the
   * prompt `inputId` no longer waits, the `calls` whose results it brings are kept, and what was kept of this message
   * while it streamed is dropped: all of it or nothing.
   */
  appendMessage(conversationId: string, message: Message, along?: AppendedAlong): void;
  /** Oldest first. */
  loadMessages(conversationId: string): Message[];
  /** What each request used, oldest first: of all its branches, of its sub-agents, and of theirs. */
  usageOf(conversationId: string): StoredUsage[];
  /** `call.messageId`: the reply that asked for it, which is kept already. A call saved again replaces the first. */
  saveToolCall(conversationId: string, call: StoredToolCall): void;
  loadToolCall(conversationId: string, toolUseId: string): StoredToolCall | undefined;
  /** Of all calls that are kept, on whichever branch. */
  toolCallIds(conversationId: string): string[];
  /**
   * Logs what happened; at most a tenth of a second behind. Deltas, partials and output chunks are passed over, and
   * what has a row of its own (a message, a tool's output) is not kept twice.
   */
  appendEvent(event: AgentEvent): void;
  /** The highest event id logged of a conversation: it goes on from there when it is opened again. 0: none. */
  lastEventId(conversationId: string): number;
  close(): void;
}

export type StoreErrorCode =
  | "locked"
  | "corrupt"
  | "read_only"
  | "full"
  | "cannot_open"
  /** The file is of a later version of Parley. */
  | "newer"
  /** A message for a conversation that is not there, or the same message twice: a fault of ours. */
  | "invalid"
  | "failed";

/** The store could not do what it was asked to, in words for the user. What was kept before is untouched. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  readonly hint: string;

  constructor(code: StoreErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }

  toUserError(): UserError {
    return { code: `store_${this.code}`, message: this.message, hint: this.hint };
  }
}

/** A file operation that failed, in words that help the model (and the user) go on. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}
