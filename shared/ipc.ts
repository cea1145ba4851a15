import { z } from "zod";
import {
  type AttachmentChoice,
  attachmentChoice,
  attachmentReference,
  maxAttachments,
} from "./conversation/attachments.ts";
import {
  type CheckpointSummary,
  type RewindOutcome,
  type RewindPlan,
  rewindPart,
  rewindTarget,
} from "./conversation/checkpoints.ts";
import type { Effort, EffortSupport } from "./conversation/effort.ts";
import { agentEvent, type userError } from "./conversation/events.ts";
import { promptOrigin, voiceSource } from "./conversation/messages.ts";
import { modelChoice } from "./conversation/model-choice.ts";
import {
  type ListCursor,
  listQuery,
  type SearchHit,
  type SessionSummary,
  sessionSummary,
} from "./conversation/sessions.ts";
import type { ConversationView, TranscriptItem } from "./conversation/transcript.ts";
import type { ToolItem } from "./conversation/transcript-items.ts";
import {
  approvalScope,
  type FenceInfo,
  type LevelName,
  levelName,
  type PermissionRule,
  permissionLevel,
  permissionRule,
} from "./safety/permissions.ts";
import { keyRequest, keyVariableName } from "./safety/secrets.ts";
import type { TrustRequest } from "./safety/trust.ts";
import { type McpView, mcpActions } from "./servers/mcp.ts";
import type { Settings } from "./settings.ts";
import { offerKinds } from "./voice/speech-offer.ts";
import type { ListDevicesResult, SttModel } from "./voice/stt.ts";
import { voiceSettingChange } from "./voice/voice-settings.ts";
import type { VoiceSnapshot, VoiceTestResult } from "./voice/voice-snapshot.ts";

/**
 * Everything that crosses between a window and the main process: one channel for calls, one for pushes.
 * The main process checks the sender and parses the arguments of every call; a route that is missing here
 * cannot be called, and one without a handler does not type-check.
 */

const conversationId = z.string().min(1);

/** Longest prompt accepted, in UTF-16 units. */
export const maxPromptChars = 1_000_000;

/** The quick window grows with its answer up to this height, in CSS pixels; then the answer scrolls. */
export const quickMaxHeightPx = 420;

/** Of a route: what it answers, where there is more to read than whether it worked. A type alone: it holds nothing. */
const answers = <Answer>(): { readonly answer?: Answer } => ({});

/** Each route once: what it takes, and what it answers. Handlers, bridge and windows are typed by this list. */
export const ipcRoutes = {
  "app.info": { input: z.void(), ...answers<AppInfo>() },
  "conversation.list": { input: listQuery, ...answers<SessionPage>() },
  "conversation.search": {
    input: z.object({ words: z.string().max(1000), limit: z.number().int().min(1).max(200) }),
    ...answers<SearchHit[]>(),
  },
  /** Title, pin, group, archive, draft: what is not given stays. */
  "conversation.change": {
    input: z.object({
      conversationId,
      title: z.string().trim().min(1).max(200).optional(),
      isPinned: z.boolean().optional(),
      isArchived: z.boolean().optional(),
      group: z.string().trim().min(1).max(100).nullable().optional(),
      draft: z.string().max(maxPromptChars).optional(),
      draftAttached: z.array(attachmentChoice).max(maxAttachments).optional(),
    }),
  },
  /** Out of sight at once, gone for good at the next start; until then it can be restored. */
  "conversation.delete": { input: z.object({ conversationId }) },
  "conversation.restore": { input: z.object({ conversationId }) },
  /** A new conversation with the path up to this message (or all of it), which is then shown. */
  "conversation.fork": {
    input: z.object({ conversationId, messageId: z.string().optional() }),
    ...answers<{ conversationId: string }>(),
  },
  /** Asks for a folder where to write; answers with the file, null where the user changed their mind. */
  "conversation.export": {
    input: z.object({ conversationId, format: z.enum(["md", "json", "srt"]) }),
    ...answers<{ path: string | null }>(),
  },
  /** Items before the oldest that is shown. */
  "conversation.earlier": {
    input: z.object({ conversationId, before: z.string() }),
    ...answers<EarlierItems>(),
  },
  /** What a sub-agent of the conversation did so far, and its answer. */
  "conversation.agent": {
    input: z.object({ conversationId, agentId: z.string().min(1).max(200) }),
    ...answers<AgentSteps>(),
  },
  /** Another version of a prompt: a branch beside the old one, and a run. */
  "conversation.edit": {
    input: z.object({ conversationId, messageId: z.string(), text: z.string().max(maxPromptChars) }),
  },
  /** A prompt that a model mended, as it was first heard: one that waits, or another version of one that was sent, and a run. */
  "conversation.takeBackRepair": { input: z.object({ conversationId, id: z.string() }) },
  /** Another version of the reply that this message is part of. */
  "conversation.regenerate": { input: z.object({ conversationId, messageId: z.string() }) },
  /** Shows the newest path through this message. */
  "conversation.branch": { input: z.object({ conversationId, messageId: z.string() }) },
  /** Changes the working folder by the system's picker; answers with the folder. */
  "conversation.pickFolder": { input: z.object({ conversationId }), ...answers<{ workingFolder: string }>() },
  "checkpoint.list": {
    input: z.object({ conversationId, limit: z.number().int().min(1).max(500) }),
    ...answers<CheckpointSummary[]>(),
  },
  /** By checkpoint, or by the prompt to go back to. */
  "checkpoint.preview": {
    input: z.object({
      conversationId,
      target: rewindTarget,
      part: rewindPart,
    }),
    ...answers<RewindPlan>(),
  },
  "checkpoint.rewind": {
    input: z.object({
      conversationId,
      target: rewindTarget,
      part: rewindPart,
      /** Whether files that something else has changed since are overwritten, too. */
      overwrite: z.boolean(),
    }),
    ...answers<RewindOutcome>(),
  },
  "checkpoint.redo": { input: z.object({ conversationId }), ...answers<RewindOutcome>() },
  "conversation.create": { input: z.void(), ...answers<{ conversationId: string }>() },
  /** Subscribes the calling window and answers with the view so far; its events follow as pushes. */
  "conversation.attach": {
    input: z.object({ conversationId: conversationId.optional() }),
    ...answers<ConversationView>(),
  },
  "conversation.submit": {
    input: z.object({
      conversationId: conversationId.optional(),
      text: z.string().max(maxPromptChars),
      origin: promptOrigin.exclude(["voice"]),
      /** Read before the prompt is taken: one that cannot be had refuses the prompt. A command takes none. */
      attachments: z.array(attachmentReference).max(maxAttachments).optional(),
    }),
    ...answers<{ conversationId: string; inputId: string | null }>(),
  },
  /** Files of the conversation's folder (without one: of a new one's) and resources of servers that `@` and these letters may mean. */
  "attachment.find": {
    input: z.object({ conversationId: conversationId.optional(), words: z.string().max(1000) }),
    ...answers<AttachmentChoice[]>(),
  },
  /** Asks the last prompt once more after a run that failed. */
  "conversation.retry": { input: z.object({ conversationId }) },
  /** The user's word into the running turn; delivered with the next prompt when nothing runs. */
  "conversation.steer": { input: z.object({ conversationId, text: z.string().max(maxPromptChars) }) },
  "approval.answer": {
    input: z.object({
      conversationId,
      approvalId: z.string(),
      allowed: z.boolean(),
      reason: z.string().max(10_000).optional(),
      scope: approvalScope.default("once"),
      /** The command runs outside of the fence, for once, where the card offers that. */
      outside: z.boolean().optional(),
    }),
  },
  /** How much runs in the conversation without being asked for: a level. */
  "permission.mode": { input: z.object({ conversationId, mode: levelName }) },
  /** What becomes of an `auto` of an earlier version, in the conversation or in the settings, wherever it came from. */
  "permission.confirm": {
    input: z.object({ conversationId, level: permissionLevel.exclude(["look"]) }),
  },
  /** Allowing rules of an earlier version, as the user wants them now: this command alone, with more words, not at all. */
  "permission.review": {
    input: z.object({ rule: permissionRule, answer: z.enum(["exact", "more", "remove"]) }),
  },
  /** Looks for the fence again, after what mends it was done. */
  "fence.check": { input: z.void() },
  /** Who answers in a conversation, and how much it can think. */
  "model.state": { input: z.object({ conversationId }), ...answers<ModelState>() },
  /** The models that can be chosen: asks the provider. */
  "model.list": { input: z.object({ conversationId }), ...answers<ModelList>() },
  /** Nobody waits for the list any more. */
  "model.stopList": { input: z.void() },
  /** What is not given stays; null: as the settings say. It counts from the next run on. */
  "model.choose": { input: modelChoice.partial().extend({ conversationId }) },
  /** What counts for this conversation becomes the settings'. */
  "model.keep": { input: z.object({ conversationId }) },
  /** The user vouches for what was heard from the computer's sound in this conversation so far. */
  "overheard.lift": { input: z.object({ conversationId }) },
  "question.answer": {
    input: z.object({ conversationId, questionId: z.string(), answer: z.string().max(maxPromptChars) }),
  },
  "conversation.stop": { input: z.object({ conversationId }) },
  "input.drop": { input: z.object({ conversationId, inputId: z.string() }) },
  /** Other words for a prompt that waits or is held; a held one is no longer sent by itself. */
  "input.edit": {
    input: z.object({ conversationId, inputId: z.string(), text: z.string().max(maxPromptChars) }),
  },
  /** Runs a prompt that was held; the words of one that waits go into the running turn. */
  "input.send": { input: z.object({ conversationId, inputId: z.string() }) },
  "voice.start": { input: z.object({ conversationId, source: voiceSource.exclude(["file"]) }) },
  "voice.stop": { input: z.void() },
  /** Says Markdown aloud, in place of what is being said; blank: silence. */
  "speech.say": {
    input: z.object({
      conversationId,
      text: z.string().max(maxPromptChars),
      messageId: z.string().optional(),
    }),
  },
  "voice.mute": { input: z.object({ isMuted: z.boolean() }) },
  /** A prompt about the meetings of a conversation: what was said since the last one, or all of it in short. */
  "meeting.ask": { input: z.object({ conversationId, question: z.enum(["ask", "summary"]) }) },
  /** How many lines of meetings a conversation has, and how many of them no prompt has brought. */
  "meeting.counts": {
    input: z.object({ conversationId }),
    ...answers<{ lines: number; unasked: number }>(),
  },
  /** What was heard and dropped becomes a prompt after all. */
  "voice.sendAnyway": { input: z.object({ droppedId: z.string() }) },
  /** What the conversation's folder brings that waits for the user's word. */
  "trust.request": { input: z.object({ conversationId }), ...answers<{ request: TrustRequest | null }>() },
  /** @see TrustRequest.id */
  "trust.answer": {
    input: z.object({ conversationId, id: z.string().max(200), isTrusted: z.boolean() }),
  },
  /** Shows the form for a key. */
  "key.ask": { input: z.object({ variable: keyVariableName }) },
  /** A key that was typed into the form for it. */
  "key.set": {
    input: z.object({
      variable: keyVariableName,
      key: z.string().trim().min(1).max(20_000),
      /** The user accepts that the file alone gives it away. */
      isWeakAccepted: z.boolean(),
    }),
  },
  /** The MCP servers of a conversation, as they are now; a push says when that changes. */
  "mcp.list": { input: z.object({ conversationId: z.string() }), ...answers<McpView>() },
  "mcp.act": {
    input: z.object({
      conversationId: z.string(),
      server: z.string(),
      action: z.enum(mcpActions),
      /** What the user saw: of `allow` the fingerprint, of `allow-host` and `deny-host` the host, of `put-back` and `leave-out` the id. */
      seen: z.string().optional(),
    }),
  },
  "mcp.tool": {
    input: z.object({
      conversationId: z.string(),
      server: z.string(),
      tool: z.string(),
      isOn: z.boolean(),
    }),
  },
  /** What a server's README says: JSON, or a name and a command or an address. Answers with the names. */
  "mcp.add": {
    input: z.object({ text: z.string().trim().min(1).max(100_000) }),
    ...answers<{ names: string[] }>(),
  },
  /** From other assistants on this computer. Answers with a line for each thing found. */
  "mcp.import": { input: z.void(), ...answers<{ lines: string[] }>() },
  /** All that a window knows of voice; later states come as pushes. */
  "voice.snapshot": { input: z.void(), ...answers<VoiceSnapshot>() },
  /** Changes one setting of voice; what listens takes it over. */
  "voice.set": { input: voiceSettingChange },
  /** Takes back what was learned last from a correction. */
  "voice.unlearn": { input: z.void() },
  "voice.devices": { input: z.void(), ...answers<ListDevicesResult>() },
  /** Listens for a few seconds and says what it heard. */
  "voice.test": { input: z.void(), ...answers<VoiceTestResult>() },
  "voice.models": { input: z.void(), ...answers<SttModel[]>() },
  "voice.model": {
    input: z.object({ action: z.enum(["download", "pause", "delete"]), model: z.string().min(1).max(200) }),
    ...answers<SttModel>(),
  },
  /** Asks for a sound file and listens to it, at its own pace. */
  "voice.startFile": { input: z.object({ conversationId }) },
  /** Asks for the folder of a speech model; null where the user changed their mind. */
  "voice.pickModel": { input: z.void(), ...answers<{ folder: string | null }>() },
  /** What the microphone hears goes into the text box of this conversation. */
  "voice.dictate": { input: z.object({ conversationId, isOn: z.boolean() }) },
  /** What would hear or speak better: downloads and uses it, ends that for now, or never offers it again. */
  "voice.offer": {
    input: z.object({ kind: z.enum(offerKinds), action: z.enum(["accept", "pause", "decline"]) }),
  },
  /** Opens the page of the system's settings about microphones. */
  "voice.openSystemSettings": { input: z.void() },
  /** Whether the model server that was found on this computer may answer. */
  "model.server": { input: z.object({ id: z.string().min(1).max(200), isAgreed: z.boolean() }) },
  /** Whether a key may go to an address from elsewhere. @see KeyAddressOffer.id */
  "key.address": { input: z.object({ id: z.string().min(1).max(9000), isAgreed: z.boolean() }) },
  "link.open": { input: z.object({ url: z.string().max(8192) }) },
  "quick.close": { input: z.void() },
  /** The quick window is as high as what it shows. */
  "quick.resize": { input: z.object({ heightPx: z.number().int().min(1).max(quickMaxHeightPx) }) },
  /** Shows the main window with the conversation. */
  "window.open": { input: z.object({ conversationId: conversationId.optional() }) },
} as const;

export type IpcRoute = keyof typeof ipcRoutes;
export type IpcInput<R extends IpcRoute> = z.infer<(typeof ipcRoutes)[R]["input"]>;

/** One line of `/help` and of the composer's completion. */
export interface CommandSummary {
  name: string;
  usage: string;
  description: string;
}

/** A model server on this computer that was found, and that the user has not agreed to. */
export interface ModelServerOffer {
  /** Its name and where it is, such as `Ollama at 127.0.0.1:11434`. */
  id: string;
  /** Some of what it has, by name. */
  models: string[];
  /** How many there are beside those. */
  more: number;
}

/** A key that would go to an address from elsewhere, which the user has not agreed to. */
export interface KeyAddressOffer {
  /** Stands for this key and this address: an answer to something else is refused. */
  id: string;
  /** The variable of the key, and where it stands, in words. */
  key: string;
  keyPlace: string;
  /** The variable or the setting of the address, and where it stands, in words. */
  address: string;
  addressPlace: string;
  /** Where the key would go. */
  host: string;
}

/** Who answers in a conversation. */
export interface ModelState {
  provider: string;
  /** Full id; null: no model answers. */
  modelId: string | null;
  /** As people call it, or why nobody answers. */
  modelName: string;
  /** Where prompts go, where that is not the provider's own; absent where it is. */
  modelHost?: string;
  takesImages: boolean;
  /** As it was chosen; the model may not take it. */
  effort: Effort;
  efforts: EffortSupport;
  /** Whether a new conversation would have the same. */
  isForNew: boolean;
}

export interface ModelRow {
  /** What to choose. */
  id: string;
  name: string;
  /** US dollars per million tokens; null: not known, or nothing. */
  price: { input: number; output: number } | null;
}

export interface ModelList {
  models: ModelRow[];
  /** Those that were chosen before and are no longer, or not, in the list of the provider. */
  recent: ModelRow[];
  /** Why the provider's list is missing. */
  problem: z.infer<typeof userError> | null;
}

export interface AppInfo {
  version: string;
  electron: string;
  chrome: string;
  node: string;
  /** True on the end-of-life runtime for development and tests, which no release ships. */
  isTestRuntime: boolean;
  platform: string;
  provider: string;
  /** As shown in the header: the model, or "Offline assistant". */
  modelLabel: string;
  /** Where prompts go, where that is not the provider's own; absent where it is. */
  modelHost?: string;
  /** Whether the model takes images, as far as is known. */
  takesImages: boolean;
  modelServerOffer: ModelServerOffer | null;
  keyAddressOffer: KeyAddressOffer | null;
  /** Of a new conversation, with `~` for the home folder. */
  workingFolder: string;
  homeFolder: string;
  theme: Settings["theme"];
  /** The level of conversations for which the user chose none. */
  permissionMode: LevelName;
  fence: FenceInfo;
  /** Rules of an earlier version that the user has not looked at since they mean exact commands. */
  rulesToReview: PermissionRule[];
  commands: CommandSummary[];
  /** Broken settings and the like, found before any window was open. */
  startupErrors: z.infer<typeof userError>[];
}

/** A page of the list, and where the next one begins: null at the end. */
export interface SessionPage {
  sessions: SessionSummary[];
  next: ListCursor | null;
}

/** Items that stand before those that are shown. */
export interface EarlierItems {
  items: TranscriptItem[];
  hasEarlier: boolean;
}

/** What a sub-agent did and said. */
export interface AgentSteps {
  /** Its newest calls, oldest first; what went in and came out is cut. */
  steps: ToolItem[];
  /** How many it made before those. */
  left: number;
  /** Its last words; blank while it works. */
  answer: string;
}

/** What a route answers. */
export type IpcOutput = {
  [R in IpcRoute]: (typeof ipcRoutes)[R] extends { answer?: infer Answer } ? Answer : unknown;
};

export type IpcResult<T> = { ok: true; value: T } | { ok: false; error: z.infer<typeof userError> };

/** What main sends to windows unasked. */
export const ipcPush = z.discriminatedUnion("type", [
  /** Events of a conversation that the window attached to, batched per animation frame. */
  z.object({ type: z.literal("events"), events: z.array(agentEvent) }),
  /** A row of the list is new or changed. */
  z.object({ type: z.literal("session"), summary: sessionSummary }),
  /** A row left the list. */
  z.object({ type: z.literal("session-gone"), conversationId: z.string() }),
  z.object({ type: z.literal("show-conversation"), conversationId: z.string() }),
  /** How loud it is, RMS 0–1, at most 15 times a second while listening. */
  z.object({ type: z.literal("level"), level: z.number() }),
  /** Something about voice is different now. */
  z.object({ type: z.literal("voice"), voice: z.custom<VoiceSnapshot>() }),
  /** Words that were dictated: they belong into the text box of this conversation. */
  z.object({ type: z.literal("dictated"), conversationId: z.string(), text: z.string() }),
  /** Words of the user's were learned from what they corrected. */
  z.object({ type: z.literal("learned"), words: z.array(z.string()) }),
  z.object({ type: z.literal("focus-composer") }),
  /** The user wants to see what waits for their word. */
  z.object({ type: z.literal("show-approvals") }),
  /** The user wants to give a key. */
  keyRequest.extend({ type: z.literal("ask-key") }),
  /** A server's state or tools have changed. */
  z.object({ type: z.literal("mcp") }),
  /** What a folder brings may be something else now, or was answered. */
  z.object({ type: z.literal("trust") }),
  /** What `app.info` says has changed, such as the provider. */
  z.object({ type: z.literal("app") }),
]);
export type IpcPush = z.infer<typeof ipcPush>;

/** The one object that the preload exposes, as `window.parley`. */
export interface ParleyBridge {
  /** Calls a route. Never rejects for a failure of the app's: that is an `IpcResult` with `ok: false`. */
  call<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcResult<IpcOutput[R]>>;
  /** @returns a function that ends the subscription */
  onPush(listener: (push: IpcPush) => void): () => void;
}
