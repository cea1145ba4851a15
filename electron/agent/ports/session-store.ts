import type { Attachment, AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { Effort } from "../../../shared/conversation/effort.ts";
import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { Meeting, MeetingLine, MeetingRange } from "../../../shared/conversation/meeting.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import type { Branches, ListCursor, SearchHit, SessionKind } from "../../../shared/conversation/sessions.ts";
import type { Task } from "../../../shared/conversation/tasks.ts";
import type { LevelName } from "../../../shared/safety/permissions.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { ConversationStore, StoredConversation } from "./ports.ts";

/** A stored conversation with all that is known of it. Times are milliseconds since the epoch. */
export interface SessionRecord extends StoredConversation {
  isPinned: boolean;
  group: string | null;
  /** Text that stood in the composer, unsent. */
  draft: string;
  /** What was attached to it. */
  draftAttached: readonly AttachmentChoice[];
  archivedAt: number | null;
  /** Set: deleted, and gone for good at the next start. */
  deletedAt: number | null;
  /** The end of the path that counts; null before the first message. */
  headMessageId: string | null;
  /** Set where the user (or the model) gave the title; otherwise it is the first words. */
  hasOwnTitle: boolean;
  heldInputs: number;
  /** null: the user chose none for it, that of the settings counts. */
  permissionMode: LevelName | null;
  /** An alias or a full id; null: that of the settings counts. */
  chosenModel: string | null;
  /** null: that of the settings counts. */
  chosenEffort: Effort | null;
  /** The conversation that it is a fork of, which may be gone. */
  forkedFrom: string | null;
  /** As it was when it was read. */
  kind: SessionKind | null;
}

export type SessionChanges = Partial<
  Pick<
    SessionRecord,
    | "title"
    | "hasOwnTitle"
    | "isPinned"
    | "group"
    | "draft"
    | "draftAttached"
    | "archivedAt"
    | "deletedAt"
    | "workingFolder"
    | "model"
    | "permissionMode"
    | "chosenModel"
    | "chosenEffort"
    | "forkedFrom"
  >
>;

/** A sub-agent as it is kept. Times are milliseconds since the epoch. */
export interface StoredSubagent {
  id: string;
  /** The conversation, or the sub-agent, that started it. */
  parentId: string;
  title: string;
  model: string;
  createdAt: number;
  updatedAt: number;
  /** Its calls that have ended. */
  steps: number;
  /** Its last message is a whole reply that asks for nothing more. */
  hasAnswered: boolean;
}

/** A stretch of a conversation's path, oldest first. */
export interface MessagePage {
  messages: Message[];
  /** By id of a message on the page that has other versions. */
  branches: ReadonlyMap<string, Branches>;
  /** Whether the path has messages before these. */
  hasEarlier: boolean;
}

export interface SearchQuery {
  words: string;
  limit: number;
  /** Only in this conversation. */
  conversationId?: string | undefined;
}

/** What goes away by age, number and size; 0 = never. */
/** How much of a meeting goes with one prompt at most. */
export interface AskLimits {
  maxLines: number;
  /** Without what a prompt adds to each line. */
  maxChars: number;
}

export interface PruneRules {
  sessionDays: number;
  maxSessions: number;
  eventDays: number;
  checkpointDays: number;
  checkpointMb: number;
}

/**
 * The whole of what is kept: conversations as trees, the prompts that wait, the reply that is being streamed. Every
 * write is durable when it returns (an event's excepted). All methods throw StoreError; the asynchronous ones reject
 * with it, work in a thread of their own and never hold up the main process.
 */
export interface SessionStore extends ConversationStore {
  loadSession(conversationId: string): SessionRecord | undefined;
  /** How many of its messages, on whichever branch, bring what was heard from the computer's sound. */
  overheardMessages(conversationId: string): number;
  /** Whether there are more of them than its last `overheard.lifted` says. */
  isOverheard(conversationId: string): boolean;
  /** Pinned first, then last used first. Deleted ones and sub-agents' are left out. */
  listSessions(query: {
    limit: number;
    after?: ListCursor | undefined;
    isArchived?: boolean;
  }): SessionRecord[];
  /** By whole id, by the beginning or the short end of an id, or by title (case-insensitive: whole, then beginning, then part). Best matches only. */
  findSessions(reference: string, limit: number): SessionRecord[];
  /** Those that were chosen for conversations, the last used first, each once. */
  recentModels(limit: number): string[];
  /** The folders that conversations work in, the last used first, each once. */
  recentFolders(limit: number): string[];
  /** Does not count as use: `updatedAt` stays. */
  changeSession(conversationId: string, changes: SessionChanges): void;
  /** For good, with all that belongs to it. */
  deleteSession(conversationId: string): void;
  /**
   * Copies the path up to and with `messageId` (null: up to the head) into the new conversation `into`: messages get
   * new ids from `newId`, tool calls and summaries go along.
   */
  copySession(
    conversationId: string,
    messageId: string | null,
    into: StoredConversation,
    newId: () => string,
  ): void;

  /** The last `limit` messages of the path, or those before `before`. Its cost does not grow with the path. */
  loadPage(conversationId: string, page: { limit: number; before?: string | undefined }): MessagePage;
  /**
   * What a run needs: the first prompt, the newest summary on the path, and all after what it covers; the whole path
   * where there is none. Oldest first. Others have their turn while a long path is read.
   */
  loadContext(conversationId: string): Promise<Message[]>;
  /** The list of tasks on the path: of its newest `update_tasks` that worked. Empty where there is none. */
  loadTasks(conversationId: string): readonly Task[];
  /** The sub-agents of a conversation, and theirs: the newest `limit`, oldest first. */
  loadSubagents(conversationId: string, limit: number): StoredSubagent[];
  /** How many prompts of the user's the path has from this message on; 0 where it is not on the path. */
  promptsFrom(conversationId: string, messageId: string): number;
  loadMessage(
    conversationId: string,
    messageId: string,
  ): { message: Message; parentId: string | null } | undefined;
  /** Where the path ends from now on; null = before the first message. The next message goes there. */
  moveHead(conversationId: string, messageId: string | null): void;
  /** The end of the newest path through a message: what switching to a branch shows. */
  newestLeaf(conversationId: string, messageId: string): string;
  /** The whole tree: of each message its parent and first words. Oldest first. */
  loadTree(conversationId: string): {
    id: string;
    parentId: string | null;
    role: Message["role"];
    origin: Message["origin"];
    text: string;
    createdAt: number;
  }[];

  /** A prompt that waits; kept again, it is replaced. Appending its message with `inputId` removes it in the same step. */
  saveInput(conversationId: string, input: QueuedInput): void;
  deleteInput(inputId: string): void;
  /** In the order they came. */
  loadInputs(conversationId: string): QueuedInput[];

  /** A file beside a draft; it stays while a draft names it, and until the next start at least. */
  saveDraftFile(id: string, file: Attachment): void;
  loadDraftFile(id: string): Attachment | undefined;

  /** A line that was noted in a meeting. */
  noteLine(conversationId: string, line: MeetingLine): void;
  /** It turned out to be none: an echo. */
  deleteLine(conversationId: string, lineId: string): void;
  /**
   * The newest lines that neither a prompt on the path nor one that waits has brought, oldest first, at least one where
   * there is any. `left`: how many more there are.
   */
  unaskedLines(
    conversationId: string,
    limits: AskLimits,
    range?: MeetingRange,
  ): { lines: MeetingLine[]; left: number };
  /** How many there are, and how many of them are within the limits. */
  countUnasked(conversationId: string, limits: AskLimits): { unasked: number; goes: number };
  /** Lines that began from `from` on and before `before`, oldest first; the newest `limit` of them. */
  meetingLines(
    conversationId: string,
    range: { from?: number | undefined; before?: number | undefined; limit: number },
  ): MeetingLine[];
  /** Oldest first; between two of them is a silence of `meetingGapMs`. */
  meetings(conversationId: string): Meeting[];
  countLines(conversationId: string): number;

  /** The reply as far as it has streamed; the finished message of this id takes its place. */
  savePartial(conversationId: string, message: Message): void;
  /** What a crash cut off; undefined when there is none. It stays until its message is appended or `dropPartial`. */
  loadPartial(conversationId: string): Message | undefined;
  dropPartial(conversationId: string): void;

  /** Newest first, ranked within the newest hits. */
  search(query: SearchQuery): Promise<SearchHit[]>;
  /** Pinned conversations stay, and so does every `keep`. @returns how many rows of each went */
  prune(
    rules: PruneRules,
    now: number,
    keep: readonly string[],
  ): Promise<{ sessions: number; events: number; checkpoints: number }>;
  /** From the next write on. */
  setDurability(durability: Settings["durability"]): void;
  /** What a back-up has, into a new database: conversations, and checkpoints where they are wanted. Only of one that is kept in a file. */
  copyContents(
    file: string,
    withCheckpoints: boolean,
  ): Promise<{ databaseVersion: number; conversations: number; messages: number; largeFiles: string[] }>;
}
