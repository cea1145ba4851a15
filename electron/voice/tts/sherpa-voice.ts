import { availableParallelism } from "node:os";
import sherpa from "sherpa-onnx-node";
import type { Speech, SpeechSynthesiser } from "./speech-synthesiser.ts";
import { readVoiceFiles, type VoiceFiles } from "./voice-files.ts";

/** Half of the machine is left to everything else. */
const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/**
 * A voice that was downloaded, or lies in a folder of the user's own: VITS (piper, coqui, …), Matcha, Kokoro, Kitten or
 * Supertonic for sherpa-onnx.
 * @param language of what is said, such as `en` or `en-GB`; `auto` counts as English
 * @throws Error in words where the folder holds none
 */
export async function openSherpaVoice(folder: string, language: string): Promise<SpeechSynthesiser> {
  const files = await readVoiceFiles(folder);
  const tts = await sherpa.OfflineTts.createAsync(voiceConfig(files, language));
  const code = codeOf(language);
  return {
    synthesise: async (text, rate, speaker = 0): Promise<Speech> => {
      const sid = speaker < files.speakers.length ? speaker : 0;
      const isSupertonic = files.kind === "supertonic";
      const spoken = await tts.generateAsync({
        ...{ text, sid, speed: rate },
        // Buffers of the native code's own are refused in Electron.
        enableExternalBuffer: false,
        ...(isSupertonic && {
          generationConfig: {
            sid,
            speed: rate * supertonicPace,
            numSteps: supertonicSteps,
            extra: { lang: code },
          },
        }),
      });
      if (spoken.samples.length === 0) throw new Error("The voice made no sound of it.");
      return { pcm: toPcm(spoken.samples), sampleRateHz: spoken.sampleRate };
    },
  };
}

/** What its makers call its own pace. */
const supertonicPace = 1.05;
/** More are slower, and hardly better. */
const supertonicSteps = 5;

/** What sherpa-onnx is to load. Pure. */
export function voiceConfig(files: VoiceFiles, language: string): sherpa.TtsConfig {
  return {
    model: { ...modelOf(files, language), numThreads: threads, debug: false, provider: "cpu" },
    maxNumSentences: 1,
  };
}

function modelOf(
  files: VoiceFiles,
  language: string,
): Omit<sherpa.TtsConfig["model"], "numThreads" | "debug" | "provider"> {
  if (files.kind === "supertonic") return { supertonic: files.files };
  const { model, tokens, dataDir } = files;
  const lexicon = files.lexicons.join(",");
  switch (files.kind) {
    case "vits":
      return { vits: { model, tokens, lexicon, dataDir } };
    case "matcha":
      // Espeak's data stand in for the lists of words.
      return {
        matcha: {
          acousticModel: model,
          vocoder: files.vocoder,
          tokens,
          dataDir,
          lexicon: dataDir === "" ? lexicon : "",
        },
      };
    case "kitten":
      return { kitten: { model, voices: files.voices, tokens, dataDir } };
    default:
      return { kokoro: { model, voices: files.voices, tokens, dataDir, ...kokoroLanguage(files, language) } };
  }
}

/**
 * Kokoro from 1.0 on speaks several languages: English and Chinese by lists of words, one for each kind of English, and
 * the others by espeak's names for them. Earlier ones are told nothing.
 */
function kokoroLanguage(
  { version, lexicons }: Extract<VoiceFiles, { kind: "kokoro" | "kitten" }>,
  language: string,
): { lexicon: string; lang: string } {
  if (version < 2) return { lexicon: "", lang: "" };
  const code = codeOf(language);
  const isBritish = /^en[-_]gb$/i.test(language);
  const isOther = (path: string) => path.endsWith(isBritish ? "lexicon-us-en.txt" : "lexicon-gb-en.txt");
  const chosen = lexicons.filter((path) => !isOther(path) || lexicons.length === 1);
  const isListed = (code === "en" || code === "zh") && chosen.length > 0;
  return { lexicon: chosen.join(","), lang: isListed ? "" : (espeakNames.get(code) ?? code) };
}

const espeakNames: ReadonlyMap<string, string> = new Map([
  ["en", "en-us"],
  ["pt", "pt-br"],
]);

function codeOf(language: string): string {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? "";
  return code === "" || code === "auto" ? "en" : code;
}

function toPcm(samples: Float32Array): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++) {
    pcm[index] = Math.round(Math.max(-1, Math.min(1, samples[index] ?? 0)) * 0x7fff);
  }
  return pcm;
}
