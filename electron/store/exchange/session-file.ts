import { z } from "zod";
import { jsonWithoutMarks } from "../../../shared/conversation/data-marks.ts";
import { effort } from "../../../shared/conversation/effort.ts";
import { type Message, message as messageShape } from "../../../shared/conversation/messages.ts";
import { parseSmallJson } from "../../files/small-file.ts";

/** A whole conversation as a JSON file: every branch, and of every call the full output. */
export const sessionFile = z.strictObject({
  format: z.literal("parley-session"),
  version: z.literal(1),
  title: z.string().min(1),
  model: z.string(),
  /** What the conversation had of its own; absent: the settings counted. */
  chosenModel: z.string().min(1).max(200).optional(),
  chosenEffort: effort.optional(),
  workingFolder: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The end of the path that counts; null: before the first message. */
  headMessageId: z.string().nullable(),
  /** Each after its parent. */
  messages: z.array(z.strictObject({ parentId: z.string().nullable(), message: messageShape })),
  /** What was heard in meetings, oldest first; absent where nothing was. */
  meeting: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        who: z.enum(["me", "them", "note"]),
        text: z.string(),
        at: z.number(),
        endedAt: z.number(),
      }),
    )
    .optional(),
  toolCalls: z.array(
    z.strictObject({
      toolUseId: z.string().min(1),
      messageId: z.string(),
      name: z.string(),
      input: z.unknown(),
      output: z.string(),
      isError: z.boolean(),
      durationMs: z.number(),
      wasTruncated: z.boolean(),
      originalChars: z.number(),
      diff: z.string().optional(),
    }),
  ),
});
export type SessionFile = z.infer<typeof sessionFile>;

/**
 * Marks of Parley's own become plain text: the file may be somebody else's.
 * @throws Error that says what is wrong with which entry
 */
export function parseSessionFile(text: string): SessionFile {
  const parsed = sessionFile.safeParse(jsonWithoutMarks(parseJson(text)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const more = parsed.error.issues.length - 1;
    throw wrong(
      issue?.path ?? [],
      `${issue?.message ?? "not understood"}${more > 0 ? ` (and ${more} more)` : ""}`,
    );
  }
  checkTree(parsed.data);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return parseSmallJson(text);
  } catch (error) {
    throw new Error(
      `The file cannot be imported: it ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** What a shape cannot say: that each entry fits to the others. */
function checkTree({ messages, toolCalls, headMessageId, meeting = [] }: SessionFile): void {
  const known = new Map<string, Message>();
  for (const [place, { message, parentId }] of messages.entries()) {
    const at = ["messages", place];
    if (known.has(message.id)) throw wrong(at, `the id ${message.id} stands twice`);
    if (parentId !== null && !known.has(parentId))
      throw wrong(at, `its parent ${parentId} does not stand before it`);
    if (message.covers !== undefined && !known.has(message.covers)) {
      throw wrong(at, `the message ${message.covers} that it covers does not stand before it`);
    }
    known.set(message.id, message);
  }
  if (headMessageId !== null && !known.has(headMessageId)) {
    throw wrong(["headMessageId"], `there is no message ${headMessageId}`);
  }
  const lines = new Set<string>();
  for (const [place, { id }] of meeting.entries()) {
    if (lines.has(id)) throw wrong(["meeting", place], `the id ${id} stands twice`);
    lines.add(id);
  }
  const calls = new Set<string>();
  for (const [place, { toolUseId, messageId }] of toolCalls.entries()) {
    const at = ["toolCalls", place];
    if (calls.has(toolUseId)) throw wrong(at, `the call ${toolUseId} stands twice`);
    if (!known.has(messageId)) throw wrong(at, `there is no message ${messageId}`);
    calls.add(toolUseId);
  }
}

const wrong = (path: readonly PropertyKey[], what: string) =>
  new Error(
    `The file cannot be imported: ${path.length > 0 ? `${path.map(String).join(".")}: ` : ""}${what}.`,
  );
