import { z } from "zod";
import { approvalScope, levelName, permissionRule } from "../safety/permissions.ts";
import { questionForm } from "../servers/forms.ts";
import { attachment } from "./attachments.ts";
import { notRestorable, rewindOutcome } from "./checkpoints.ts";
import {
  doubtfulWord,
  message,
  promptOrigin,
  repair,
  saidLine,
  speechSource,
  stopReason,
  usage,
  voiceSource,
} from "./messages.ts";
import { modelChoice } from "./model-choice.ts";
import { branches } from "./sessions.ts";
import { taskList } from "./tasks.ts";

/**
 * The one way out: everything observable in a conversation is an `AgentEvent`. The window, the log, the tests
 * and the database read this same stream.
 *
 * `id` counts from 1 within a conversation, without gaps; a reader that knows the last id it saw misses and
 * repeats nothing. `at` is milliseconds since the epoch.
 */

/** A failure in words for the person in front of the window: what happened, and what to do about it. */
export const userError = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  /** The variable of a key that was refused, or is missing: a window offers to take another. */
  keyVariable: z.string().optional(),
});
export type UserError = z.infer<typeof userError>;

export const lifecycleState = z.enum(["idle", "processing", "awaiting_input", "closed"]);
export type LifecycleState = z.infer<typeof lifecycleState>;

/** A prompt that waits for its run. */
export const queuedInput = z.object({
  inputId: z.string(),
  text: z.string(),
  origin: promptOrigin,
  source: speechSource.nullable(),
  /** Words that the recogniser was unsure of. */
  heard: z.array(doubtfulWord).optional(),
  /** What else all of it may be, likeliest first. */
  readings: z.array(z.string()).optional(),
  /** What a model made of it. */
  repair: repair.optional(),
  /** What was said in a meeting before it. */
  meeting: z.array(saidLine).optional(),
  /** How many older lines did not fit. */
  meetingLeft: z.number().int().positive().optional(),
  attachments: z.array(attachment).optional(),
  /** It waits outside the queue: left by a crash or a quit, or to be looked at, or until there is room. */
  isHeld: z.boolean().optional(),
  /** No prompt, but Parley's own words for the model, such as how much of a reply was heard: they go before the next one. */
  isNote: z.boolean().optional(),
  /** Of a held one: when it is sent unless it is changed before; milliseconds since the epoch. */
  sendsAt: z.number().optional(),
});
export type QueuedInput = z.infer<typeof queuedInput>;

/**
 * What the voice path is doing, as the user should see it. `listening` is said only once audio arrives.
 * `restarting`: the session failed and is being started again, `detail` says why.
 */
export const voiceStateName = z.enum([
  "off",
  "starting",
  "listening",
  "hearing",
  "transcribing",
  "restarting",
  "stopping",
  "failed",
]);
export type VoiceStateName = z.infer<typeof voiceStateName>;

/**
 * What the gate made of an utterance. Dropped ones: too_short, too_unsure, `no_speech`: a cough or a bang, own_voice, echo, and
 * `aside`: "mhm", or a word to Parley's own voice, `unclear`: a short burst over a reply, and `which`: a yes or no while several approvals wait. `no_words`: names
 * of sounds, or a value of a program; `phantom`: what Whisper writes for silence; `too_late`: better words for a prompt that was sent.
 * `noted`: it went into the transcript of a meeting. `held`: there are too many before it. `review`: the user may correct it first.
 * `corrected`: better words for a prompt that waits.
 */
export const utteranceRule = z.enum([
  "too_short",
  "too_unsure",
  "no_speech",
  "no_words",
  "phantom",
  "too_late",
  "corrected",
  "own_voice",
  "echo",
  "aside",
  "command",
  "unclear",
  "which",
  "stop_word",
  "answer",
  "approval",
  "merged",
  "steered",
  "interrupted",
  "held",
  "review",
  "noted",
]);
export type UtteranceRule = z.infer<typeof utteranceRule>;

/** Whether a reply is being said aloud. */
const speechState = z.enum(["speaking", "paused", "stopped", "silent"]);

/** What permission rules go by. `app` acts on Parley itself. Only `read` changes nothing. */
export const toolEffect = z.enum(["read", "write", "execute", "network", "app"]);
export type ToolEffect = z.infer<typeof toolEffect>;

/** Who wants what, as the card says it, where the words of the effect would be too general: `who` wants `what`. */
export const approvalWish = z.object({
  who: z.string(),
  /** Begins with “to”. */
  what: z.string(),
  /** A yes holds for longer than this call, as the detail says. */
  lasts: z.boolean().optional(),
  /** The tool of an MCP server, where it is one, by its title. */
  tool: z.string().optional(),
});
export type ApprovalWish = z.infer<typeof approvalWish>;

const head = { id: z.number().int().positive(), conversationId: z.string(), at: z.number() };

export const agentEvent = z.discriminatedUnion("type", [
  z.object({ ...head, type: z.literal("state.changed"), state: lifecycleState }),
  /** Told again for an input that was held and now waits for its run: the newer one counts. */
  z.object({ ...head, type: z.literal("input.queued"), input: queuedInput }),
  /** Told after it: a run goes on, or prompts wait before this one, which runs after their turns. */
  z.object({ ...head, type: z.literal("followup.received"), inputId: z.string() }),
  z.object({ ...head, type: z.literal("input.dropped"), inputId: z.string() }),
  /** The input left the queue: its message follows as `message.added`. */
  z.object({ ...head, type: z.literal("run.started"), runId: z.string(), inputId: z.string() }),
  z.object({
    ...head,
    type: z.literal("run.ended"),
    runId: z.string(),
    stopReason,
    error: userError.optional(),
  }),
  /** A finished message joined the history: the prompt, a reply (which replaces its streamed text), or tool results. */
  z.object({
    ...head,
    type: z.literal("message.added"),
    message,
    /** Other versions of this place in the tree; absent where there are none. */
    branches: branches.optional(),
  }),
  z.object({
    ...head,
    type: z.literal("model.requested"),
    runId: z.string(),
    provider: z.string(),
    model: z.string(),
    round: z.number().int().positive(),
  }),
  z.object({
    ...head,
    type: z.literal("model.responded"),
    runId: z.string(),
    usage,
    latencyMs: z.number(),
  }),
  z.object({ ...head, type: z.literal("text.delta"), messageId: z.string(), text: z.string() }),
  z.object({ ...head, type: z.literal("thinking.delta"), messageId: z.string(), text: z.string() }),
  /** The stream broke after partial text and starts again: what was shown of this message is void. */
  z.object({ ...head, type: z.literal("stream.reset"), messageId: z.string() }),
  z.object({
    ...head,
    type: z.literal("retry"),
    attempt: z.number().int().positive(),
    /** How many there will be at most; absent in earlier events. */
    of: z.number().int().positive().optional(),
    delayMs: z.number(),
    reason: z.string(),
  }),
  z.object({
    ...head,
    type: z.literal("tool.started"),
    toolUseId: z.string(),
    name: z.string(),
    input: z.unknown(),
  }),
  z.object({
    ...head,
    type: z.literal("tool.ended"),
    toolUseId: z.string(),
    name: z.string(),
    durationMs: z.number(),
    isError: z.boolean(),
    output: z.string(),
    /** What it changed in files, unified. */
    diff: z.string().optional(),
  }),
  /** What a running tool says before it has ended, such as a command's output as it comes. */
  z.object({ ...head, type: z.literal("tool.output"), toolUseId: z.string(), text: z.string() }),
  /** A tool waits for the user's word. `detail` is exactly what will run or change, as plain text. */
  z.object({
    ...head,
    type: z.literal("approval.requested"),
    approvalId: z.string(),
    toolUseId: z.string(),
    /** The sub-agent that asks. */
    agentId: z.string().optional(),
    name: z.string(),
    effect: toolEffect,
    wish: approvalWish.optional(),
    detail: z.string(),
    /** What it changes in files, as a unified diff. */
    diff: z.string().optional(),
    /** Why it asks, where it is not just the mode. */
    why: z.string().optional(),
    /** What a yes for the session, or for always, writes; without any it can only be allowed once. */
    rules: z.array(permissionRule).optional(),
    /** Whether a spoken yes is enough. */
    mayBeSpoken: z.boolean().optional(),
    /** Whether a command can be run outside of the fence, for once. */
    mayRunOutside: z.boolean().optional(),
    /** Files that the user's own tools run and that this conversation changed: what a command outside would obey. */
    changedToolFiles: z.array(z.string()).optional(),
    /** Of a host: a yes to this call is one for the conversation. */
    holdsInConversation: z.boolean().optional(),
    /** A yes lets a command run without a fence: no rewind brings back what it does. */
    runsOutside: z.boolean().optional(),
    /** Where the prompt of the run was heard. */
    source: speechSource.nullable().optional(),
  }),
  z.object({
    ...head,
    type: z.literal("approval.resolved"),
    approvalId: z.string(),
    allowed: z.boolean(),
    /** The user's, for the model. */
    reason: z.string().optional(),
    /** The run ended before the user answered. */
    isStopped: z.boolean().optional(),
    /** How long the yes holds; once, where it is not said. */
    scope: approvalScope.optional(),
    /** The command runs outside of the fence. */
    outside: z.boolean().optional(),
  }),
  /** How much runs without being asked for, from now on: a level. Events of earlier versions have its old names. */
  /** null: that of the settings counts. */
  z.object({ ...head, type: z.literal("permission.mode"), mode: levelName.nullable() }),
  /** Who answers, and how much it thinks, from the next run on; null: as the settings say. */
  z.object({ ...head, type: z.literal("model.chosen"), ...modelChoice.shape }),
  /** The user vouched for what was heard from the computer's sound before: of so many messages it makes nothing ask any more. */
  /** The user typed it during a meeting: a line of that. */
  z.object({
    ...head,
    type: z.literal("meeting.noted"),
    line: z.object({ id: z.string(), text: z.string(), at: z.number() }),
  }),
  z.object({ ...head, type: z.literal("overheard.lifted"), messages: z.number().int().nonnegative() }),
  z.object({
    ...head,
    type: z.literal("question.asked"),
    questionId: z.string(),
    /** The call that asks. */
    toolUseId: z.string().optional(),
    /** The sub-agent that asks. */
    agentId: z.string().optional(),
    question: z.string(),
    options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
    /** Of an MCP server: fields in place of options; the answer is JSON. */
    form: questionForm.optional(),
  }),
  /** `answer` null: the run ended before there was one. */
  z.object({
    ...head,
    type: z.literal("question.answered"),
    questionId: z.string(),
    answer: z.string().nullable(),
  }),
  /** The user's word waits to enter the running turn; its message follows when it does. */
  z.object({ ...head, type: z.literal("steering.received"), steeringId: z.string(), text: z.string() }),
  z.object({
    ...head,
    type: z.literal("loop.detected"),
    /** The repeated calls, as `name input`. */
    pattern: z.array(z.string()),
    count: z.number().int().positive(),
    action: z.enum(["warn", "stop"]),
  }),
  /** The model brought its list of tasks up to date; a path that is shown anew comes with its own. */
  z.object({ ...head, type: z.literal("tasks.changed"), tasks: taskList }),
  /**
   * A run started an agent on a task of its own; what it says and does is kept as a conversation with the agent's id. Told
   * again where one that had ended goes on.
   */
  z.object({
    ...head,
    type: z.literal("subagent.started"),
    agentId: z.string(),
    /** The agent whose agent it is; absent where the conversation's own run started it. */
    parentId: z.string().optional(),
    task: z.string(),
    model: z.string(),
  }),
  /** A call of an agent's began, or ended. */
  z.object({
    ...head,
    type: z.literal("subagent.step"),
    agentId: z.string(),
    toolUseId: z.string(),
    name: z.string(),
    /** Of one that began: its long texts are cut. */
    input: z.unknown().optional(),
    /** How many it has begun so far. */
    steps: z.number().int().nonnegative(),
    isRunning: z.boolean(),
  }),
  /** It came to an end; told again where it was given something new to do. */
  z.object({
    ...head,
    type: z.literal("subagent.ended"),
    agentId: z.string(),
    status: z.enum(["completed", "failed", "stopped"]),
    turns: z.number().int().nonnegative(),
  }),
  z.object({
    ...head,
    type: z.literal("compaction.started"),
    messages: z.number().int(),
    tokens: z.number(),
  }),
  /** `error`: it failed and trimming takes over. Tokens are estimates where the provider has not counted yet. */
  z.object({
    ...head,
    type: z.literal("compaction.ended"),
    tokensBefore: z.number(),
    tokensAfter: z.number(),
    error: z.string().optional(),
  }),
  /** More than 80 % of the model's context are full, and nothing makes room: `compactionStrategy` is `none`. */
  z.object({
    ...head,
    type: z.literal("context.warning"),
    usedTokens: z.number(),
    contextWindow: z.number(),
  }),
  /** How the model is asked from now on, where that costs the user something: its server takes no tools, for instance. */
  z.object({ ...head, type: z.literal("model.notice"), message: z.string() }),
  z.object({ ...head, type: z.literal("history.trimmed"), dropped: z.number().int().positive() }),
  z.object({
    ...head,
    type: z.literal("result.truncated"),
    toolUseId: z.string(),
    name: z.string(),
    shownChars: z.number().int(),
    totalChars: z.number().int(),
  }),
  z.object({
    ...head,
    type: z.literal("budget.warning"),
    usedTokens: z.number(),
    maxTokens: z.number(),
    usedUsd: z.number(),
    maxUsd: z.number(),
  }),
  /** A local command (`/help`, `/voice …`) was answered; `output` is Markdown. */
  z.object({
    ...head,
    type: z.literal("command.answered"),
    line: z.string(),
    output: z.string(),
    isError: z.boolean(),
  }),
  z.object({
    ...head,
    type: z.literal("voice.state"),
    state: voiceStateName,
    source: voiceSource.nullable(),
    /** What is said is dropped until it is unmuted. */
    isMuted: z.boolean().optional(),
    /** What is said goes into the text box and is not sent. */
    isDictating: z.boolean().optional(),
    /** Nothing that is said counts now: the key to talk is not held, or the wake phrase was not said. */
    isWaiting: z.boolean().optional(),
    /** What to do to be heard, or to end that. */
    talkHint: z.string().optional(),
    detail: userError.optional(),
  }),
  /** What the speech server has to say to the user: another device, a pause, something that went wrong but goes on. */
  z.object({ ...head, type: z.literal("voice.notice"), message: z.string() }),
  z.object({ ...head, type: z.literal("voice.partial"), utteranceId: z.string(), text: z.string() }),
  /** An utterance ended. `dropped` says why it did not become a prompt; otherwise `inputId` is its prompt. */
  z.object({
    ...head,
    type: z.literal("voice.utterance"),
    utteranceId: z.string(),
    text: z.string(),
    reason: z.string(),
    confidence: z.number().min(0).max(1).nullable(),
    inputId: z.string().optional(),
    dropped: z.string().optional(),
    /** Absent where it became a prompt like any other. */
    rule: utteranceRule.optional(),
    /** Where it was heard; absent in events of earlier versions. */
    source: speechSource.optional(),
    /** Of a noted one: the line of the meeting that it is, and when it was said. */
    line: z.object({ id: z.string(), at: z.number(), endedAt: z.number() }).optional(),
    /** Of a dropped one: `voice.sendAnyway` takes it. */
    droppedId: z.string().optional(),
    /** Words that the recogniser was unsure of. */
    heard: z.array(doubtfulWord).optional(),
    /** What else all of it may be, likeliest first. */
    readings: z.array(z.string()).optional(),
    /**
     * Where the time went, null where the server does not say: when its audio began and when it finished the
     * utterance (milliseconds since the epoch), and where on the clock of its samples the speech ended.
     */
    timing: z.object({
      audioStartedAt: z.number().nullable(),
      speechEndMs: z.number().nullable(),
      finalAt: z.number().nullable(),
    }),
  }),
  /**
   * A model was asked about an unclear prompt before it was sent. `mended`: it is `text` now; `kept`: it stays as it was heard;
   * `refused`: the answer was anything else than what was heard; `late`, `failed`, `stopped`: there was no answer. What the
   * answer took is there where there was one; `usd` null: the price is not known.
   */
  z.object({
    ...head,
    type: z.literal("voice.repaired"),
    inputId: z.string(),
    heard: z.string(),
    outcome: z.enum(["mended", "kept", "refused", "late", "failed", "stopped"]),
    text: z.string().optional(),
    model: z.string().optional(),
    usage: usage.optional(),
    usd: z.number().nullable().optional(),
    latencyMs: z.number(),
  }),
  /** The server no longer holds `missed` events that were not read yet. */
  z.object({ ...head, type: z.literal("voice.gap"), missed: z.number().int().positive() }),
  /**
   * A reply is being said aloud, is paused because somebody speaks, or ended. `firstAudioMs`: from the first sentence's
   * text to its first sound.
   */
  z.object({
    ...head,
    type: z.literal("speech.state"),
    state: speechState,
    messageId: z.string(),
    firstAudioMs: z.number().optional(),
  }),
  /** What is said aloud of a reply ended here: the user heard this much of it. */
  z.object({ ...head, type: z.literal("speech.interrupted"), messageId: z.string(), heard: z.string() }),
  /** The first change of a turn is about to be made: its checkpoint stands. */
  z.object({
    ...head,
    type: z.literal("checkpoint.created"),
    checkpointId: z.string(),
    /** The prompt of the turn; null for one made by hand before any. */
    messageId: z.string().nullable(),
    label: z.string(),
  }),
  /** Told before a call: what of it a rewind could not bring back. */
  z.object({
    ...head,
    type: z.literal("checkpoint.limited"),
    checkpointId: z.string(),
    paths: z.array(notRestorable),
    /** A fenced command finds them read-only; otherwise it can change them. */
    isReadOnly: z.boolean().optional(),
  }),
  /** A call deleted more than a few files: those that can be made again by their folder's name are not counted. */
  z.object({
    ...head,
    type: z.literal("checkpoint.deleted"),
    checkpointId: z.string(),
    files: z.number().int().positive(),
    /** More than one call may delete: the run ends. */
    isStopped: z.boolean(),
  }),
  z.object({
    ...head,
    type: z.literal("checkpoint.rewound"),
    checkpointId: z.string(),
    outcome: rewindOutcome,
    /** The last rewind was taken back. */
    isRedo: z.boolean().optional(),
    /** The file that went back alone, as shown. */
    path: z.string().optional(),
  }),
  /** The path ends elsewhere now: what a reader has of it is void, and a new view is to be fetched. */
  z.object({
    ...head,
    type: z.literal("head.moved"),
    headMessageId: z.string().nullable(),
    reason: z.enum(["edit", "regenerate", "branch", "rewind", "redo"]),
  }),
  /** What the list or the header says of the conversation: title, pin, group, archive, working folder. */
  z.object({ ...head, type: z.literal("session.changed"), title: z.string(), workingFolder: z.string() }),
  z.object({ ...head, type: z.literal("error"), error: userError }),
]);

export type AgentEvent = z.infer<typeof agentEvent>;
export type AgentEventType = AgentEvent["type"];

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event before its conversation stamps it with id, conversationId and time. */
export type AgentEventBody = DistributiveOmit<AgentEvent, "id" | "conversationId" | "at">;
