import type { Settings } from "../shared/settings.ts";
import { modelsVariable } from "../shared/voice/speech.ts";
import type { VoicePanelView } from "../shared/voice/voice-panel.ts";
import type { Conversations } from "./agent/conversation/conversations.ts";
import { systemClock } from "./agent/conversation/system-clock.ts";
import { AudioWindow } from "./desktop/audio/audio-window.ts";
import { allowMicrophone } from "./desktop/audio/microphone-access.ts";
import { SpeechProcess } from "./desktop/audio/speech-process.ts";
import { SttProcess } from "./desktop/audio/stt-process.ts";
import { TalkKeys } from "./desktop/keys/talk-keys.ts";
import { watchPower } from "./desktop/shell/power.ts";
import type { McpManager } from "./mcp/manager.ts";
import { spokenAnswer } from "./permissions/spoken-answer.ts";
import { modelsFolder } from "./stt-server/models/cache-folder.ts";
import { ownEnvironment } from "./tools/process/child-environment.ts";
import { PushToTalk } from "./voice/session/push-to-talk.ts";
import { VoiceRuntime } from "./voice/session/runtime.ts";
import { talkWords, whileTalkingWords } from "./voice/session/talk-way.ts";
import type { VoiceStatus } from "./voice/session/voice-status.ts";
import { SpeechOutput } from "./voice/speaking/speech-output.ts";
import { callTimeoutMs, SttClient, sharedClient } from "./voice/stt/stt-client.ts";

export interface VoiceComposition {
  conversations: Conversations;
  /** Whose servers may stand in for Parley's own speech server. */
  mcp: Pick<McpManager, "connectionFor">;
  preload: string;
  /** A built file, by its path below the output folder. */
  built(path: string): string;
  settings(): Settings;
  log(line: string): void;
  /** RMS 0–1. */
  onLevel(level: number): void;
  onChange(status: VoiceStatus): void;
  /** At most once in a turn of the event loop. */
  onPanel(panel: VoicePanelView): void;
  onDictated(conversationId: string, text: string): void;
  /** The folder for recordings. */
  recordings: string;
}

/** Hearing and speaking: their processes, and how they know of each other. `close` after the conversations. */
export function composeVoice(parts: VoiceComposition) {
  const { conversations, mcp, preload, built, settings, log } = parts;
  const audio = new AudioWindow(preload);
  const stt = new SttProcess({
    entry: built("main/stt-utility.js"),
    audio,
    env: ownEnvironment(process.env),
    onLevel: (level) => {
      voice.tellLevel(level);
      parts.onLevel(level);
    },
    onLog: (line) => log(`speech: ${line}`),
  });
  const speaker = new SpeechProcess({
    entry: built("main/speech-utility.js"),
    audio,
    env: {
      ...ownEnvironment(process.env),
      [modelsVariable]: modelsFolder(process.env, process.platform),
    },
    onLog: (line) => log(`voice: ${line}`),
  });
  const speech = new SpeechOutput({
    speaker,
    clock: systemClock,
    settings,
    target: (conversationId) => conversations.get(conversationId),
    onAudible: (isAudible) => voice.muteLoopback(isAudible),
  });
  const ownSpeech = sharedClient(() => stt.connect());
  const voice = new VoiceRuntime({
    intercept: (...heard) => speech.heard(...heard),
    speaking: () => speech.speaking(),
    stopSpeaking: () => speech.stop(),
    spokenAnswer: (word, conversationId) => {
      const waiting = conversations.get(conversationId)?.waitingApprovals() ?? [];
      return spokenAnswer(
        word,
        waiting.map(({ approvalId, mayBeSpoken = false }) => ({ approvalId, mayBeSpoken })),
      );
    },
    connect: async (server) => {
      if (server === undefined) return await ownSpeech();
      const at = conversations.get(voice.status().conversationId ?? "")?.workingFolder;
      const { client, closed } = await mcp.connectionFor(server, AbortSignal.timeout(callTimeoutMs), at);
      return await SttClient.over(client, closed);
    },
    settings,
    clock: systemClock,
    onSpeech: () => void conversations.warmUp(),
    onChange: parts.onChange,
    talkHint: (isTalking) => (isTalking ? whileTalkingWords : talkWords)(keys.way),
    onPanel: gathered(panelMs, () => {
      keys.apply();
      parts.onPanel(voice.panel());
    }),
    onDictated: parts.onDictated,
    allowMicrophone,
    recordings: parts.recordings,
  });
  const talk = new PushToTalk({
    clock: systemClock,
    onBegin: () => {
      speech.stop();
      try {
        const isOff = voice.status().conversationId === null;
        if (isOff) voice.start(conversations.current(), { source: "microphone" });
        voice.setTalking(true);
      } catch (error) {
        log(`push-to-talk: ${String(error)}`);
      }
    },
    onEnd: () => voice.setTalking(false),
  });
  const keys = new TalkKeys({
    entry: built("main/key-hook-utility.js"),
    settings,
    press: () => talk.press(),
    release: () => talk.release(),
    tap: () => talk.tap(),
    onChange: () => voice.tellTalkHint(),
    onLog: (line) => log(`push-to-talk: ${line}`),
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
  return {
    voice,
    speech,
    keys,
    close: async () => {
      keys.dispose();
      speaker.close();
      await stt.close();
      audio.close();
    },
  };
}

/** How old what the voice panel shows may be: words that were heard are on their way first, in milliseconds. */
const panelMs = 50;

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
