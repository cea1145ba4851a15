import { z } from "zod";
import { agentEvent } from "../conversation/events.ts";
import { sessionSummary } from "../conversation/sessions.ts";
import { keyRequest } from "../safety/secrets.ts";
import { windowCommands } from "../voice/spoken-commands.ts";
import type { VoiceSnapshot } from "../voice/voice-snapshot.ts";
import { conversationId, maxPromptChars } from "./route-parts.ts";

/** What main sends to windows unasked. */
export const ipcPush = z.discriminatedUnion("type", [
  /** Events of a conversation that the window attached to, batched per animation frame. */
  z.object({ type: z.literal("events"), events: z.array(agentEvent) }),
  /** A row of the list is new or changed. */
  z.object({ type: z.literal("session"), summary: sessionSummary }),
  /** A row left the list. */
  z.object({ type: z.literal("session-gone"), conversationId: z.string() }),
  /** Many rows came into the lists at once. */
  z.object({ type: z.literal("sessions") }),
  /** The conversations with an answer that nobody has seen. */
  z.object({ type: z.literal("unread"), conversationIds: z.array(z.string()) }),
  z.object({ type: z.literal("show-conversation"), conversationId: z.string() }),
  /** The page of its meeting, where the conversation is shown. */
  z.object({ type: z.literal("show-meeting"), conversationId: z.string() }),
  /** How loud it is, RMS 0–1, at most 15 times a second while listening. */
  z.object({ type: z.literal("level"), level: z.number() }),
  /** Something about voice is different now. */
  z.object({ type: z.literal("voice"), voice: z.custom<VoiceSnapshot>() }),
  /** Words that were dictated: they belong into the text box of this conversation, or into none where it was a trial. */
  z.object({
    type: z.literal("dictated"),
    conversationId: z.string(),
    text: z.string(),
    isTrial: z.boolean(),
  }),
  /** Words of the user's were learned from what they corrected. */
  z.object({ type: z.literal("learned"), words: z.array(z.string()) }),
  z.object({ type: z.literal("focus-composer") }),
  /** The quick window has come into sight. */
  z.object({
    type: z.literal("quick-opened"),
    /** What is selected in another program; null: nothing is, or the system does not tell. */
    selection: z.string().max(maxPromptChars).nullable(),
    /** The one that was used last from here; null: there is none. */
    conversation: z
      .object({
        conversationId,
        title: z.string(),
        usedAt: z.number(),
        /** It was used a moment ago: the next prompt goes there by itself. */
        isGoingOn: z.boolean(),
      })
      .nullable(),
    /** Words for the text box: the user sends them, or does not. */
    draft: z.string().max(maxPromptChars).optional(),
    /** How high the window may become here, in CSS pixels. */
    maxHeightPx: z.number().int().min(1),
  }),
  /** It may become another height now, in CSS pixels: its display or its zoom has changed. */
  z.object({ type: z.literal("quick-room"), maxHeightPx: z.number().int().min(1) }),
  /** The quick window's next prompt begins another conversation, by a word of the user's or the model's. */
  z.object({ type: z.literal("quick-begun") }),
  /** The user wants to see whether everything works. */
  z.object({ type: z.literal("show-doctor") }),
  /** The user wants to set Parley up. */
  z.object({ type: z.literal("show-set-up") }),
  /** The user wants to see the settings. */
  z.object({ type: z.literal("show-settings") }),
  /** The user wants to see what waits for their word. `key`: of the approval or the question. */
  z.object({ type: z.literal("show-waiting"), conversationId: z.string(), key: z.string() }),
  /** Said to the app, and done by the window. `about`: the words that were said with it. */
  z.object({
    type: z.literal("spoken-command"),
    name: z.enum(windowCommands),
    about: z.string(),
  }),
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
