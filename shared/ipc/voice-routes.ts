import { z } from "zod";
import { type Meeting, type MeetingLine, maxNoteChars } from "../conversation/meeting.ts";
import { voiceSource } from "../conversation/messages.ts";
import { offerKinds } from "../voice/speech-offer.ts";
import { maxSpokenNameChars, maxSpokenNames } from "../voice/spoken-names.ts";
import type { ListDevicesResult, SttModel } from "../voice/stt.ts";
import { voiceSettingChange, voiceSettingsShape } from "../voice/voice-settings.ts";
import type { VoiceSnapshot, VoiceTestResult } from "../voice/voice-snapshot.ts";
import { answers, conversationId, maxPromptChars } from "./route-parts.ts";

/** Voice: listening, speaking, meetings. */
export const voiceRoutes = {
  "voice.start": { input: z.object({ conversationId, source: voiceSource.exclude(["file"]) }) },
  "voice.stop": { input: z.void() },
  /** The user went to another conversation by voice: what listens goes with them, but for a meeting. */
  "voice.follow": { input: z.object({ conversationId }) },
  /** Says Markdown aloud, in place of what is being said; blank: silence. */
  "speech.say": {
    input: z.object({
      conversationId,
      text: z.string().max(maxPromptChars),
      messageId: z.string().optional(),
      /** What of it was heard already: it goes on in the sentence where that ends. */
      heard: z.string().max(maxPromptChars).optional(),
    }),
  },
  /** Goes on with the next sentence of what is being said. */
  "speech.skip": { input: z.void() },
  /** Says the rest of the reply of which only the beginning was said. */
  "speech.readAll": { input: z.void() },
  /** What the pointer is on when the menu of a right-click is about to come; null: nothing that can be read aloud. */
  "speech.here": {
    input: z
      .object({
        conversationId,
        messageId: z.string(),
        /** The reply as it stands in the page, up to the pointer, or to where the selection begins; and from there on. */
        before: z.string().max(maxPromptChars),
        after: z.string().max(maxPromptChars),
      })
      .nullable(),
  },
  /** How fast Parley speaks, from the sentence on that is being said. */
  "speech.pace": { input: z.object({ rate: voiceSettingsShape["voice.rate"].unwrap() }) },
  /** What is being said stops, and is kept until somebody wants it to go on. */
  "speech.pause": { input: z.void() },
  /** What was stopped of a reply is said from there on. */
  "speech.goOn": { input: z.void() },
  /** What the user is saying is sent without waiting for a pause. */
  "voice.sendNow": { input: z.void() },
  "voice.mute": { input: z.object({ isMuted: z.boolean() }) },
  /** A prompt about the meetings of a conversation: what was said since the last one, or all of it in short. */
  "meeting.ask": {
    input: z.object({
      conversationId,
      question: z.enum(["ask", "summary"]),
      /** By when it began; without it the last one. */
      meeting: z.number().int().optional(),
    }),
  },
  /** A note of the user's, a line of the meeting that goes on. */
  "meeting.note": {
    input: z.object({ conversationId, text: z.string().trim().min(1).max(maxNoteChars) }),
  },
  /** The meetings of a conversation, oldest first. */
  "meeting.list": { input: z.object({ conversationId }), ...answers<Meeting[]>() },
  /**
   * How many lines of meetings a conversation has, how many of them no prompt has brought, and how many go with the next
   * question, or with one about the meeting that began at `meeting`.
   */
  "meeting.counts": {
    input: z.object({ conversationId, meeting: z.number().int().optional() }),
    ...answers<{ lines: number; unasked: number; goes: number }>(),
  },
  /**
   * A page of what was heard, oldest first: the newest lines that began before `before`, in milliseconds since the epoch.
   * `known`: how many of them the window has, since several may begin in the same millisecond.
   */
  "meeting.lines": {
    input: z.object({
      conversationId,
      before: z.number().int().optional(),
      known: z.number().int().min(0).max(10_000).default(0),
    }),
    ...answers<MeetingLine[]>(),
  },
  /** What was heard and dropped becomes a prompt after all. */
  "voice.sendAnyway": { input: z.object({ droppedId: z.string() }) },
  /** All that a window knows of voice; later states come as pushes. */
  "voice.snapshot": { input: z.void(), ...answers<VoiceSnapshot>() },
  /** Changes one setting of voice; what listens takes it over. */
  "voice.set": { input: voiceSettingChange },
  /** Takes back what was learned last from a correction. */
  "voice.unlearn": { input: z.void() },
  /** The names of what can be pressed by saying them: all that the main window shows of such now. */
  "voice.shown": {
    input: z.object({ names: z.array(z.string().max(maxSpokenNameChars)).max(maxSpokenNames) }),
  },
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
  /**
   * What the microphone hears goes into the text box of this conversation.
   * `isTrial`: what is heard is only shown, and belongs into no text box.
   */
  "voice.dictate": {
    input: z.object({ conversationId, isOn: z.boolean(), isTrial: z.boolean().optional() }),
  },
  /** What would hear or speak better: downloads and uses it, ends that for now, or never offers it again. */
  "voice.offer": {
    input: z.object({ kind: z.enum(offerKinds), action: z.enum(["accept", "pause", "decline"]) }),
  },
  /** Opens the page of the system's settings about microphones. */
  "voice.openSystemSettings": { input: z.void() },
} as const;
