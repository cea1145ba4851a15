import { BrowserWindow, dialog, type WebContents } from "electron";
import { linesPerPage } from "../../../shared/conversation/meeting.ts";
import type { IpcInput } from "../../../shared/ipc/ipc.ts";
import type { Settings } from "../../../shared/settings.ts";
import { parseVoiceSetting } from "../../../shared/voice/voice-settings.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { OfferedSpeech } from "../../voice/offers/offered-speech.ts";
import type { VoiceService } from "../../voice/session/voice-service.ts";
import type { SpeechOutput } from "../../voice/speaking/speech-output.ts";
import { sentencesOf, spokenBefore } from "../../voice/speaking/spoken-sentences.ts";
import type { WordTeacher } from "../../voice/words/word-teacher.ts";
import { openMicrophoneSettings } from "../audio/microphone-access.ts";
import { offerReading } from "../shell/context-menu.ts";
import type { IpcHandlers } from "./ipc.ts";

type ReadingPlace = NonNullable<IpcInput<"speech.here">>;

export interface VoiceRoutesOptions {
  voice: VoiceService;
  speech: SpeechOutput;
  offers: OfferedSpeech;
  words: Pick<WordTeacher, "forget">;
  /** The open one, or the one in the store. @throws Error when there is none of that id */
  find(conversationId: string): Conversation;
  changeSettings(values: Partial<Settings>): void;
  /** Takes the names of what can be pressed by saying them. */
  showNames(names: readonly string[]): void;
}

/** The calls about hearing and speaking. */
export function voiceRoutes(options: VoiceRoutesOptions) {
  const { voice, speech, offers, words, find, changeSettings, showNames } = options;
  const readFrom = ({ conversationId, messageId, before, after }: ReadingPlace) => {
    const reply = find(conversationId)
      .view()
      .items.find((item) => item.key === messageId);
    if (reply?.kind !== "assistant") return;
    const heard = spokenBefore(sentencesOf(reply.text), before, after);
    speech.say(conversationId, reply.text, messageId, heard);
  };
  return {
    "voice.start": ({ conversationId, source }) => voice.start(find(conversationId), { source }),
    "voice.stop": () => voice.stop(),
    "voice.follow": ({ conversationId }) => {
      speech.stop();
      voice.moveTo(find(conversationId));
    },
    "voice.sendNow": () => voice.sendNow(),
    "voice.mute": ({ isMuted }) => voice.mute(isMuted),
    "meeting.counts": ({ conversationId, meeting }) => find(conversationId).meetingCounts(meeting),
    "meeting.ask": ({ conversationId, question, meeting }) =>
      void find(conversationId).askMeeting(question, meeting),
    "meeting.note": ({ conversationId, text }) => void find(conversationId).typeNote(text),
    "meeting.list": ({ conversationId }) => find(conversationId).meetings(),
    "meeting.lines": ({ conversationId, before, known }) =>
      find(conversationId).meetingLines({ before, limit: linesPerPage + known }),
    "voice.sendAnyway": ({ droppedId }) => voice.sendAnyway(droppedId),
    "voice.snapshot": () => voice.snapshot(),
    "voice.set": async (change) => {
      changeSettings(parseVoiceSetting(change));
      await voice.adopted();
    },
    "voice.unlearn": () => words.forget(),
    "voice.shown": ({ names }) => showNames(names),
    "voice.devices": () => voice.devices(),
    "voice.test": () => voice.test(),
    "voice.models": async () => (await voice.ownServer()).listModels(),
    "voice.model": async ({ action, model }) => {
      const server = await voice.ownServer();
      if (action === "download") return await server.downloadModel(model);
      return action === "pause" ? await server.pauseDownload(model) : await server.deleteModel(model);
    },
    "voice.startFile": async ({ conversationId }, sender) => {
      const [path] = await ask(sender, {
        title: "A recording to listen to",
        properties: ["openFile"],
        filters: [{ name: "WAV", extensions: ["wav"] }],
      });
      if (path !== undefined) voice.start(find(conversationId), { source: "file", path });
    },
    "voice.pickModel": async (_, sender) => {
      const [folder = null] = await ask(sender, {
        title: "The folder of a speech model",
        properties: ["openDirectory"],
      });
      return { folder };
    },
    "voice.dictate": ({ conversationId, isOn, isTrial = false }) =>
      voice.dictate(find(conversationId), isOn, isTrial),
    // How it goes on, and how it ends, is part of what is shown.
    "voice.offer": ({ kind, action }) =>
      action === "accept" ? void offers.accept(kind) : offers[action](kind),
    "voice.openSystemSettings": () => openMicrophoneSettings(),
    "speech.goOn": () => speech.goOn(),
    "speech.pause": () => speech.hold(),
    "speech.skip": () => void speech.skipSentence(),
    "speech.readAll": () => void speech.readAll(),
    "speech.here": (place, sender) => offerReading(sender, place && (() => readFrom(place))),
    "speech.pace": ({ rate }) => {
      changeSettings({ "voice.rate": rate });
      speech.changePace();
    },
    "speech.say": ({ conversationId, text, messageId, heard }) =>
      speech.say(find(conversationId).id, text, messageId, heard),
  } satisfies Partial<IpcHandlers>;
}

async function ask(sender: WebContents, options: Electron.OpenDialogOptions): Promise<string[]> {
  const window = BrowserWindow.fromWebContents(sender);
  const { filePaths } = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  return filePaths;
}
