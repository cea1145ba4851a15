import { join } from "node:path";
import { settingsFor } from "../../shared/conversation/model-choice.ts";
import { modelsVariable } from "../../shared/voice/speech.ts";
import { QuickConversation } from "../agent/conversation/quick-conversation.ts";
import { systemClock } from "../agent/conversation/system-clock.ts";
import { repairOffer } from "../agent/repair/may-repair.ts";
import { AudioWindow } from "../desktop/audio/audio-window.ts";
import { LouderLevel } from "../desktop/audio/louder-level.ts";
import { allowMicrophone } from "../desktop/audio/microphone-access.ts";
import { SpeechProcess } from "../desktop/audio/speech-process.ts";
import { SttProcess } from "../desktop/audio/stt-process.ts";
import { TalkKeys } from "../desktop/keys/talk-keys.ts";
import { QuickPrompts } from "../desktop/quick/quick-prompts.ts";
import { watchPower } from "../desktop/shell/power.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import type { McpManager } from "../mcp/manager.ts";
import { spokenAnswer } from "../permissions/spoken-answer.ts";
import { modelsFolder } from "../stt-server/models/cache-folder.ts";
import { ownEnvironment } from "../tools/process/child-environment.ts";
import { OfferedSpeech } from "../voice/offers/offered-speech.ts";
import { PushToTalk } from "../voice/session/push-to-talk.ts";
import { pushToTalkEndHint, pushToTalkHint } from "../voice/session/push-to-talk-mode.ts";
import { VoiceService } from "../voice/session/voice-service.ts";
import { SpeechOutput } from "../voice/speaking/speech-output.ts";
import { callTimeoutMs, SttClient, sharedClient } from "../voice/stt/stt-client.ts";
import { WordTeacher } from "../voice/words/word-teacher.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import type { Disposal } from "./disposal.ts";
import type { composeModels } from "./models.ts";
import { Signal } from "./signal.ts";
import { composeSpeechModels } from "./speech-models.ts";
import { composeSpokenCommands } from "./spoken-commands.ts";

export interface ComposeVoiceOptions {
  base: Base;
  disposal: Disposal;
  windows: Windows;
  agent: ReturnType<typeof composeConversations>;
  models: Pick<ReturnType<typeof composeModels>, "newProvider" | "aliases">;
  /** Whose servers may stand in for Parley's own speech server. */
  mcp: Pick<McpManager, "connectionFor" | "revive">;
  preload: string;
  /** A built file, by its path below the output folder. */
  built(path: string): string;
}

/** Hearing and speaking: their processes, the keys to talk, and how they know of each other. */
export function composeVoice({
  base,
  disposal,
  windows,
  agent,
  models,
  mcp,
  preload,
  built,
}: ComposeVoiceOptions) {
  const { conversations, events } = agent;
  const { log, userData } = base;
  const settings = base.settings.current;
  /** Without a key there is none. */
  const provider = () => {
    try {
      return models.newProvider(settings());
    } catch {
      return null;
    }
  };
  // Who tells what, before there is anybody to hear it.
  const levels = new Signal<[level: number]>();
  const loudest = new LouderLevel(systemClock);
  const audible = new Signal<[isAudible: boolean]>();
  const keyMoves = new Signal<[move: "press" | "release" | "tap"]>();
  const pushToTalkModes = new Signal();
  const voiceChanged = new Signal();

  const audio = new AudioWindow(preload, (line) => log.warn(`audio: ${line}`));
  const stt = new SttProcess({
    entry: built("main/stt-utility.js"),
    audio,
    env: ownEnvironment(process.env),
    onLevel: (level, sessionId) => levels.tell(loudest.add(level, sessionId)),
    onLog: (line) => log.info(`speech: ${line}`),
  });
  const speechModels = modelsFolder(process.env, process.platform);
  const speaker = new SpeechProcess({
    entry: built("main/speech-utility.js"),
    audio,
    env: { ...ownEnvironment(process.env), [modelsVariable]: speechModels },
    isWanted: () => voice.status().conversationId !== null,
    onLog: (line) => log.info(`voice: ${line}`),
  });
  const speech = new SpeechOutput({
    speaker,
    clock: systemClock,
    settings,
    target: (conversationId) => conversations.get(conversationId),
    onAudible: audible.tell,
    onShown: () => {
      if (speech.shown()) offers.tellSpoken();
      voiceChanged.tell();
    },
  });
  const keys = new TalkKeys({
    entry: built("main/key-hook-utility.js"),
    settings,
    press: () => keyMoves.tell("press"),
    release: () => keyMoves.tell("release"),
    tap: () => keyMoves.tell("tap"),
    onChange: pushToTalkModes.tell,
    onLog: (line) => log.info(`push-to-talk: ${line}`),
  });
  const words = new WordTeacher({
    settings,
    changeWords: (list) => base.settings.change({ "voice.words": [...list] }),
    clock: systemClock,
    onLearned: (learned) => windows.broadcast({ type: "learned", words: [...learned] }),
  });
  const ownSpeech = sharedClient(() => stt.connect());
  const offers = new OfferedSpeech({
    models: composeSpeechModels(process.env),
    server: ownSpeech,
    settings,
    changeSettings: base.settings.change,
    clock: systemClock,
    onChange: voiceChanged.tell,
    // Whoever pressed the microphone when there was nothing to hear with, waits for it.
    onUsed: (kind) => {
      const { now } = voice.snapshot();
      if (kind !== "recogniser" || now.state !== "failed") return;
      voice.start(agent.find(now.conversationId), { source: settings()["voice.source"] });
    },
  });
  let shownNames: readonly string[] = [];
  const folderOf = (conversationId: string | null) => conversations.get(conversationId ?? "")?.workingFolder;
  const voice: VoiceService = new VoiceService({
    commands: composeSpokenCommands({
      ...{ agent, windows, speech, log: log.info },
      aliasesOf: (target) => models.aliases(settingsFor(settings(), agent.find(target.id).modelChoice)),
      voice: () => voice,
      quick: () => quick,
      shownNames: () => shownNames,
    }),
    offers: () => offers.shown(),
    replies: speech,
    spokenAnswer: (word, conversationId) => {
      // As they are shown: "the first" is the one that stands first.
      const items = conversations.get(conversationId)?.view().items ?? [];
      const waiting = items
        .filter((item) => item.kind === "approval")
        .filter(({ status }) => status === "waiting");
      return spokenAnswer(
        word,
        waiting.map(({ key: approvalId, mayBeSpoken = false }) => ({ approvalId, mayBeSpoken })),
      );
    },
    connect: async (server, conversationId) => {
      if (server === undefined) return await ownSpeech();
      const signal = AbortSignal.timeout(callTimeoutMs);
      const { client, closed } = await mcp.connectionFor(server, signal, folderOf(conversationId));
      return await SttClient.over(client, closed);
    },
    revive: (server, conversationId) => mcp.revive(server, folderOf(conversationId)),
    settings,
    clock: systemClock,
    keyHint: (isTalking) => (isTalking ? pushToTalkEndHint : pushToTalkHint)(keys.mode),
    allowMicrophone,
    repair: () => repairOffer(settings(), provider()),
    consent: {
      isTold: () => base.remembered.current().wasToldOfConsent,
      told: () => base.remembered.change({ wasToldOfConsent: true }),
    },
    recordings: join(userData, "recordings"),
  });
  const quick: QuickPrompts = new QuickPrompts({
    quick: new QuickConversation(conversations, systemClock),
    voice,
    isOpen: () => windows.quick.isOpen,
    tell: (message) => windows.tellQuick(message),
  });
  windows.linkQuick({
    opening: () => quick.opening(),
    onHidden: (why) => {
      if (why === "opened") quick.handedOver();
      else quick.hidden().catch((error: unknown) => log.info(`quick prompt: ${String(error)}`));
    },
  });
  voiceChanged.on(gathered(voiceMs, () => windows.broadcast({ type: "voice", voice: voice.snapshot() })));
  /** No window has a text box for it: it waits in the draft. */
  const keepDictated = (conversationId: string, text: string) => {
    const draft = conversations.get(conversationId)?.view().draft ?? "";
    conversations.change(conversationId, { draft: draft === "" ? text : `${draft} ${text}` });
  };
  voice.subscribe((news) => {
    if (news.type === "expect_prompt") void conversations.warmUp();
    if (news.type === "dictated") {
      // Words for the box of the quick prompt are no draft of the main window's.
      const { isQuick, ...words } = news;
      if (isQuick) windows.tellQuick(words);
      else if (windows.isMainOpen) windows.tellMain(words);
      else if (!words.isTrial) keepDictated(words.conversationId, words.text);
    } else voiceChanged.tell();
  });
  conversations.onChange((change) => {
    if (change.type !== "session-gone") return;
    if (speech.shown()?.conversationId === change.conversationId) speech.stop();
    voice.leave(change.conversationId).catch((error: unknown) => log.info(`voice: ${String(error)}`));
  });
  levels.on((level) => {
    voice.tellLevel(level);
    windows.broadcast({ type: "level", level });
  });
  audible.on((isAudible) => voice.muteLoopback(isAudible));
  pushToTalkModes.on(() => voice.tellKeyHint());
  // Each by itself: what one of them cannot take is heard by the others.
  events.on((event) => speech.hear(event));
  events.on((event) => voice.hear(event));
  events.on((event) => {
    if (event.type === "voice.utterance" && event.source === "microphone") words.heard(event.text);
  });

  const talk = new PushToTalk({
    clock: systemClock,
    onBegin: () => {
      // What is stopped waits for the words: they may be "go on".
      if (speech.shown()?.state !== "stopped") speech.stop();
      const begin = async () => {
        const isQuick = windows.quick.isOpen;
        const target = isQuick ? quick.take() : conversations.current();
        await voice.listen(target, { source: "microphone", isQuick });
        voice.setTalking(talk.isTalking);
      };
      begin().catch((error: unknown) => log.info(`push-to-talk: ${String(error)}`));
    },
    onEnd: () => voice.setTalking(false),
  });
  keyMoves.on((move) => talk[move]());
  base.settings.onChange((changed) => {
    voice.adopt(changed).catch((error: unknown) => log.info(`voice: ${String(error)}`));
  });
  watchPower({
    // Whoever held the key then has let it go since, and nobody heard it.
    onAway: () => talk.release(),
    onAwake: () => voice.wakeUp(),
    // Some systems take the microphone away behind the lock.
    onUnlock: () => {
      if (voice.status().state === "restarting") voice.wakeUp();
    },
  });
  disposal.defer(async () => {
    keys.dispose();
    speaker.close();
    await stt.close();
    audio.close();
  });
  const showNames = (names: readonly string[]) => {
    shownNames = names;
  };
  return { voice, quick, speech, offers, words, keys, showNames, changed: voiceChanged };
}

/** How old what windows know of voice may be: words that were heard are on their way first, in milliseconds. */
const voiceMs = 50;

/** However often it is asked for within `ms`, it is done once, at their end. */
function gathered(ms: number, act: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      act();
    }, ms);
  };
}
