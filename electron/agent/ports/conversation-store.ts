import type { AgentEvent, UserError } from "../../../shared/conversation/events.ts";
import type { Message, Usage } from "../../../shared/conversation/messages.ts";

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
  /** What it changed in files, unified. */
  diff?: string | undefined;
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
