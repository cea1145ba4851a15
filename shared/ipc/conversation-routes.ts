import { z } from "zod";
import {
  type AttachmentChoice,
  attachmentChoice,
  attachmentReference,
  maxAttachments,
} from "../conversation/attachments.ts";
import type { ContextFacts } from "../conversation/context-facts.ts";
import { type FoundItem, maxFindChars } from "../conversation/find-text.ts";
import { promptOrigin } from "../conversation/messages.ts";
import { modelChoice } from "../conversation/model-choice.ts";
import { type ListCursor, listQuery, type SearchHit, type SessionSummary } from "../conversation/sessions.ts";
import type { ConversationView, TranscriptItem } from "../conversation/transcript.ts";
import type { ToolItem } from "../conversation/transcript-items.ts";
import { answers, conversationId, maxPromptChars } from "./route-parts.ts";

/** What of a run can be ended alone. */
const runPart = z.union([
  z.object({ agentId: z.string().min(1).max(200) }),
  z.object({ toolUseId: z.string().min(1).max(500) }),
]);
export type RunPart = z.infer<typeof runPart>;

/** What is known of a working folder. */
export interface FolderFacts {
  /** Git keeps its history. */
  hasHistory: boolean;
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

/** The whole output of a call. */
export interface ToolOutputWhole {
  output: string;
  images: readonly { mediaType: string; data: string }[];
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

/** Conversations: their list, their prompts and replies, and the folders they work in. */
export const conversationRoutes = {
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
    input: z.object({
      conversationId,
      format: z.enum(["md", "json", "srt"]),
      /** Only this meeting, by when it began, and what was asked about it. */
      meeting: z.number().int().optional(),
    }),
    ...answers<{ path: string | null }>(),
  },
  /** Items with this text that stand before the item `before`, oldest first; a new question ends the last one. */
  "conversation.find": {
    input: z.object({
      conversationId,
      text: z.string().min(1).max(maxFindChars),
      before: z.string().max(200),
    }),
    ...answers<FoundItem[]>(),
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
  /** How full the context is, and what it has cost; null before the first reply. */
  "conversation.context": { input: z.object({ conversationId }), ...answers<ContextFacts | null>() },
  /** Ends one sub-agent or one running command: the run goes on. */
  "conversation.stopPart": { input: z.object({ conversationId, part: runPart }) },
  /** All that a call gave, by the key of its line: what the model saw may have been cut. */
  "conversation.output": {
    input: z.object({ conversationId, key: z.string().min(1).max(500) }),
    ...answers<ToolOutputWhole>(),
  },
  /** Another version of a prompt: a branch beside the old one, and a run. */
  "conversation.edit": {
    input: z.object({ conversationId, messageId: z.string(), text: z.string().max(maxPromptChars) }),
  },
  /** A prompt that a model mended, as it was first heard: one that waits, or another version of one that was sent, and a run. */
  "conversation.takeBackRepair": { input: z.object({ conversationId, id: z.string() }) },
  /**
   * Another version of the reply that this message is part of.
   * `model`: an alias or a full id; from then on it answers in this conversation.
   */
  "conversation.regenerate": {
    input: z.object({
      conversationId,
      messageId: z.string(),
      model: modelChoice.shape.model.unwrap().optional(),
    }),
  },
  /** Shows the newest path through this message. */
  "conversation.branch": { input: z.object({ conversationId, messageId: z.string() }) },
  /** Changes the working folder by the system's picker; answers with the folder. */
  "conversation.pickFolder": { input: z.object({ conversationId }), ...answers<{ workingFolder: string }>() },
  /** Changes the working folder to one that was used before. */
  "conversation.setFolder": { input: z.object({ conversationId, folder: z.string().min(1).max(4096) }) },
  /** The folders that conversations work in, the last used first. */
  "folder.recent": { input: z.void(), ...answers<{ folders: string[] }>() },
  /** What of the conversation's folder a new conversation can begin with. */
  "folder.facts": { input: z.object({ conversationId }), ...answers<FolderFacts>() },
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
      /** It asks about this meeting, by when that began. */
      meeting: z.number().int().optional(),
    }),
    ...answers<{ conversationId: string; inputId: string | null }>(),
  },
  /** Takes a prompt that waits out of the queue, back into the text box. */
  "input.takeBack": {
    input: z.object({ conversationId, inputId: z.string() }),
    ...answers<{ text: string; attached: readonly AttachmentChoice[] }>(),
  },
  /** Asks the last prompt once more after a run that failed. */
  "conversation.retry": { input: z.object({ conversationId }) },
  /** A request that waits to be tried again goes out at once. */
  "conversation.tryNow": { input: z.object({ conversationId }) },
  /** The user's word into the running turn; delivered with the next prompt when nothing runs. */
  "conversation.steer": { input: z.object({ conversationId, text: z.string().max(maxPromptChars) }) },
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
} as const;
