import { z } from "zod";

/** What windows, commands and the store say to each other about stored conversations ("sessions" in commands). */

/** Other than a talk in the window. */
export const sessionKind = z.enum(["meeting", "quick"]);
export type SessionKind = z.infer<typeof sessionKind>;

/** One row of the list. Times are milliseconds since the epoch. */
export const sessionSummary = z.object({
  conversationId: z.string(),
  title: z.string(),
  /** `closed`: not open in this process; it opens when it is shown. */
  state: z.enum(["idle", "processing", "awaiting_input", "closed"]),
  /** A call waits for the user's approval; absent where none does, also where a question waits. */
  needsApproval: z.boolean().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  /** The user's own group, null for none. */
  group: z.string().nullable(),
  /** Prompts that a crash or a quit left waiting. */
  heldInputs: z.number().int(),
  /** The conversation that it is a fork of, which may be gone; absent for none. */
  forkedFrom: z.string().optional(),
  kind: sessionKind.optional(),
  /** Its last run failed, and nothing was asked since; absent where it is closed. */
  hasFailed: z.boolean().optional(),
  /** How far its list of tasks is; absent where none is open, and where the conversation is closed. */
  tasks: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

/** Where in the list the next page begins: after this row. */
export const listCursor = z.object({
  isPinned: z.boolean(),
  updatedAt: z.number(),
  conversationId: z.string(),
});
export type ListCursor = z.infer<typeof listCursor>;

export const listQuery = z.object({
  limit: z.number().int().min(1).max(10_000).default(200),
  after: listCursor.optional(),
  /** Only the archived ones, or only the others. */
  isArchived: z.boolean().default(false),
});
export type ListQuery = z.input<typeof listQuery>;

/** A place where the words were found. `snippet` marks them with U+E000 … U+E001, which no text on its way in keeps. */
export const searchHit = z.object({
  conversationId: z.string(),
  title: z.string(),
  /** The message, or the reply whose call gave the output. */
  messageId: z.string(),
  kind: z.enum(["prompt", "reply", "tool output", "meeting", "title"]),
  snippet: z.string(),
  at: z.number(),
});
export type SearchHit = z.infer<typeof searchHit>;

export const snippetMarks = { open: "\uE000", close: "\uE001" } as const;

/** Versions of one place in the tree: an edited prompt, a reply made again. Ids of messages, oldest first. */
export const branches = z.object({
  /** Place of the one that is shown, from 0. */
  index: z.number().int(),
  messageIds: z.array(z.string()),
});
export type Branches = z.infer<typeof branches>;

/** What a start shows; `reference` is an id, the beginning or the short end of one, or a title. */
export type StartUp =
  | { kind: "new" }
  /** Where the user left off. */
  | { kind: "continue" }
  | { kind: "resume"; reference: string }
  | { kind: "fork"; reference: string };

/** Enough to name a conversation by. Of a ULID the end: those of one minute begin alike. */
export const shortId = (conversationId: string) => conversationId.slice(-6).toLowerCase();
