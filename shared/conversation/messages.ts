import { z } from "zod";
import { attachment } from "./attachments.ts";
import { effortLevel } from "./effort.ts";
import { imageBlock } from "./images.ts";

/**
 * Messages in Anthropic's shape: the internal form that every provider translates from and to.
 * Source: the Messages API's content blocks.
 */

/** A word of a spoken prompt that the recogniser was unsure of, and what else it may have been, likeliest first. */
export const doubtfulWord = z.object({
  word: z.string(),
  confidence: z.number().min(0).max(1),
  alternatives: z.array(z.string()),
});
export type DoubtfulWord = z.infer<typeof doubtfulWord>;

/** Readings of all of it that go with a spoken prompt at most. */
export const maxReadings = 8;

/** One utterance of a meeting: the user's, or of who the computer plays; or what the user typed meanwhile. */
export const saidLine = z.object({
  who: z.enum(["me", "them", "note"]),
  text: z.string(),
  /** Of the line as it was noted; absent in prompts of earlier versions. */
  id: z.string().optional(),
  /** When it began, milliseconds since the epoch. */
  at: z.number().optional(),
});
export type SaidLine = z.infer<typeof saidLine>;
export type Speaker = Exclude<SaidLine["who"], "note">;

/** Tokens of one request as the provider counted them; cached ones are not part of `inputTokens`. */
export const usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof usage>;

/** What a model made of an unclear spoken prompt before it was sent, and what that took. */
export const repair = z.object({
  /** What was first heard; absent where the model left it as it was. */
  heard: z.string().optional(),
  model: z.string(),
  usage,
  /** US dollars; null: the price of the model is not known. */
  usd: z.number().nonnegative().nullable(),
});
export type Repair = z.infer<typeof repair>;

/** What a text of a reply is, where its API says so: something said on the way, or the answer. */
export const replyPhase = z.enum(["commentary", "final_answer"]);

export const textBlock = z.object({
  type: z.literal("text"),
  text: z.string(),
  /** Of a spoken prompt. Requests have it as a note before the text. */
  heard: z.array(doubtfulWord).optional(),
  /** Of a spoken prompt that the recogniser was unsure of: what else all of it may be, likeliest first. */
  readings: z.array(z.string()).optional(),
  /** Of a spoken prompt that a model was asked about: then `text` is what it chose. */
  repair: repair.optional(),
  /** Of a spoken prompt whose reply is spoken, a long one only in part. Requests say so in the note. */
  isReadAloud: z.boolean().optional(),
  /** What was said in a meeting before this prompt, as data: then `text` is blank. */
  meeting: z.array(saidLine).optional(),
  /** How many older lines of the meeting did not fit: they go with the next prompt. */
  meetingLeft: z.number().int().positive().optional(),
  /** The speaker went on after a pause: these words belong to the prompt before them. */
  continues: z.boolean().optional(),
  /** What the user attached to this prompt, as data: then `text` is blank. */
  attachments: z.array(attachment).optional(),
  /** Of a reply. The API that it came from wants it back. */
  phase: replyPhase.optional(),
});
/** Kept with its signature: the API wants thinking replayed unchanged next to the tool use it led to. */
const thinkingBlock = z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() });
const redactedThinkingBlock = z.object({ type: z.literal("redacted_thinking"), data: z.string() });
const toolUseBlock = z.object({
  type: z.literal("tool_use"),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.unknown(),
});
const toolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string().min(1),
  content: z.string(),
  is_error: z.boolean().optional(),
  /** Beside the text, which names them; each provider puts them where its API takes them. */
  images: z.array(imageBlock).optional(),
});

export const contentBlock = z.discriminatedUnion("type", [
  textBlock,
  imageBlock,
  thinkingBlock,
  redactedThinkingBlock,
  toolUseBlock,
  toolResultBlock,
]);

export type ContentBlock = z.infer<typeof contentBlock>;
export type { ImageBlock } from "./images.ts";
export type ToolUseBlock = z.infer<typeof toolUseBlock>;
export type ToolResultBlock = z.infer<typeof toolResultBlock>;

/** How a prompt came in. */
export const promptOrigin = z.enum(["typed", "voice", "quick"]);
export type PromptOrigin = z.infer<typeof promptOrigin>;

/** Where a spoken prompt was heard. Words from `loopback` are somebody else's: they can ask, never approve. */
export const speechSource = z.enum(["microphone", "loopback", "file"]);
export type SpeechSource = z.infer<typeof speechSource>;

/** Where voice listens. `both`: microphone and loopback at once, as a meeting. */
export const voiceSource = z.enum([...speechSource.options, "both"]);
export type VoiceSource = z.infer<typeof voiceSource>;

/** Why a run ended. */
export const stopReason = z.enum([
  "end_turn",
  "interrupted",
  "budget_exceeded",
  "loop_detected",
  "too_many_deletions",
  "max_turns",
  "max_tokens",
  "refusal",
  "error",
]);
export type StopReason = z.infer<typeof stopReason>;

/** One message of a conversation. `createdAt`: milliseconds since the epoch. */
export const message = z.object({
  id: z.string().min(1),
  role: z.enum(["user", "assistant"]),
  /**
   * null for the model's own messages. `steering`: the user's word into a running turn. `system`: Parley's own (a loop was
   * found, a reply was cut). `summary`: stands for what compaction took out of the context before it.
   */
  origin: z.enum([...promptOrigin.options, "tool", "steering", "system", "summary"]).nullable(),
  /** null unless the origin is `voice`. */
  source: speechSource.nullable(),
  content: z.array(contentBlock),
  createdAt: z.number(),
  /** Set on assistant messages: the model's id, and whether the reply was cut short. On a prompt: who repaired it. */
  model: z.string().optional(),
  interrupted: z.boolean().optional(),
  /** Of the reply, or of the repair of a prompt. */
  usage: usage.optional(),
  latencyMs: z.number().nonnegative().optional(),
  /** From the first of its thinking to the last; absent where there was none to be seen. */
  thinkingMs: z.number().nonnegative().optional(),
  /** How much the model was asked to think for the reply; absent: as much as it does by itself. */
  effort: effortLevel.optional(),
  /**
   * On a summary: the id of the last message that it stands for. It is kept behind later messages, where it was made;
   * a request has it in the place of all up to that one, but for the first prompt.
   */
  covers: z.string().optional(),
});
export type Message = z.infer<typeof message>;

/** Not asked of zod: a schema's no makes an error each time, and most messages are no prompts. */
const promptOrigins: ReadonlySet<Message["origin"]> = new Set(promptOrigin.options);
export const isPrompt = ({ origin }: Message): boolean => promptOrigins.has(origin);

/** The visible text of a message: its text blocks, joined by blank lines, without what stands beside the prompt as data. */
export function textOf(content: readonly ContentBlock[]): string {
  return content
    .flatMap((block) => (block.type === "text" && !block.meeting && !block.attachments ? [block.text] : []))
    .join("\n\n");
}

/** Whether a message brings what was heard from the computer's sound: the other side of a meeting counts, too. */
export const isOverheard = ({ source, content }: Message): boolean =>
  source === "loopback" ||
  content.some((block) => block.type === "text" && block.meeting?.some(({ who }) => who === "them"));

/** Ids of the calls that a message asks for, in their order. */
export const callsIn = ({ content }: Pick<Message, "content">): string[] =>
  content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
