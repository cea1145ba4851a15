import { MessageChannelMain } from "electron";
import type { Settings } from "../../../shared/settings.ts";
import {
  embeddedVoice,
  type SpeechRequest,
  type SpeechSamples,
  speechFailure,
  speechSamples,
} from "../../../shared/voice/speech.ts";
import { hearPart, startPart } from "../part-process.ts";
import type { Check, Finding } from "./run-check.ts";

export interface VoiceCheckOptions {
  /** The built entry of the speech process. */
  entry: string;
  env: NodeJS.ProcessEnv;
  settings(): Settings;
}

/** Has a speech process of its own say a sentence into a buffer; nothing is played. */
export function voiceCheck(options: VoiceCheckOptions): Check {
  return {
    name: "voice",
    limitMs: 30_000,
    look: async (signal) => judged(await said(options, signal), options.settings()["voice.voice"]),
    todo: "Choose another voice in the voice panel.",
  };
}

interface Said {
  samples: SpeechSamples;
  /** Why another voice spoke; null: the one that is set. */
  other: string | null;
}

/** What is thought of the sound. */
export function judged({ samples, other }: Said, voice: string): Finding {
  const { pcm, sampleRateHz } = samples;
  const isSilent = pcm.every((sample) => Math.abs(sample) < 100);
  if (isSilent) throw new Error("It produced only silence.");
  const seconds = (pcm.length / sampleRateHz).toFixed(1);
  if (other === null) return { state: "ok", found: `It produced ${seconds} s of speech.` };
  const todo = "Choose another voice in the voice panel.";
  return {
    state: "limited",
    found: `The voice ${voice} cannot be opened, so ${embeddedVoice} speaks: ${other}`,
    todo,
  };
}

async function said({ entry, env, settings }: VoiceCheckOptions, signal: AbortSignal): Promise<Said> {
  const { "voice.voice": voice, "voice.speaker": speaker, "voice.language": language } = settings();
  // A voice of the system makes no samples that anybody sees.
  const own = voice.startsWith("system") ? embeddedVoice : voice;
  const child = startPart(entry, { serviceName: "Parley speech check", env });
  const { port1, port2 } = new MessageChannelMain();
  try {
    return await new Promise<Said>((resolve, reject) => {
      let other: string | null = null;
      signal.addEventListener("abort", () => reject(new Error("It was ended.")));
      child.once("exit", (code) => reject(new Error(`The speech process ended (${code}).`)));
      hearPart(child, speechFailure, (failure) => {
        if (failure.type === "other_voice") other = failure.message;
        else reject(new Error(failure.message));
      });
      port1.on("message", ({ data }) => {
        const samples = speechSamples.safeParse(data);
        if (samples.success) resolve({ samples: samples.data, other });
        else reject(samples.error);
      });
      port1.start();
      child.postMessage({ type: "audio" } satisfies SpeechRequest, [port2]);
      const part = { turn: 1, id: 1, text: "Parley can speak.", rate: 1 };
      child.postMessage({ type: "make", ...part, voice: own, speaker, language } satisfies SpeechRequest);
    });
  } finally {
    port1.close();
    child.postMessage({ type: "quit" } satisfies SpeechRequest);
  }
}
