import { readdir, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import sherpa from "sherpa-onnx-node";
import type { Speech, SpeechSynthesiser } from "./speech-synthesiser.ts";

/** Half of the machine is left to everything else. */
const threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/**
 * A voice that was downloaded, or lies in a folder of the user's own: VITS (piper, coqui, …) or Kokoro for sherpa-onnx.
 * @throws Error in words where the folder holds none
 */
export async function openSherpaVoice(folder: string): Promise<SpeechSynthesiser> {
  const tts = await sherpa.OfflineTts.createAsync(await voiceConfig(folder));
  return {
    synthesise: async (text, rate): Promise<Speech> => {
      // Buffers of the native code's own are refused in Electron.
      const spoken = await tts.generateAsync({ text, sid: 0, speed: rate, enableExternalBuffer: false });
      if (spoken.samples.length === 0) throw new Error("The voice made no sound of it.");
      return { pcm: toPcm(spoken.samples), sampleRateHz: spoken.sampleRate };
    },
  };
}

/** What sherpa-onnx is to load from `folder`. @throws Error where files are missing */
export async function voiceConfig(folder: string): Promise<sherpa.TtsConfig> {
  const names: string[] = await readdir(folder).catch(() => []);
  const fitting = names.filter((name) => name.endsWith(".onnx"));
  const model = fitting.find((name) => name.includes("int8")) ?? fitting[0];
  const has = (name: string) => names.includes(name);
  const path = (name: string) => (has(name) ? join(folder, name) : "");
  const isDataFolder = has("espeak-ng-data") && (await stat(path("espeak-ng-data"))).isDirectory();
  const dataDir = isDataFolder ? path("espeak-ng-data") : "";
  if (model === undefined || !has("tokens.txt") || (dataDir === "" && !has("lexicon.txt"))) {
    throw new Error(
      `${folder} holds no voice: it needs an .onnx file, tokens.txt, and lexicon.txt or the folder espeak-ng-data of a sherpa-onnx voice.`,
    );
  }
  const files = {
    model: join(folder, model),
    tokens: path("tokens.txt"),
    lexicon: path("lexicon.txt"),
    dataDir,
  };
  const voices = path("voices.bin");
  return {
    model: {
      ...(voices === "" ? { vits: files } : { kokoro: { ...files, voices } }),
      numThreads: threads,
      debug: false,
      provider: "cpu",
    },
    maxNumSentences: 1,
  };
}

function toPcm(samples: Float32Array): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++) {
    pcm[index] = Math.round(Math.max(-1, Math.min(1, samples[index] ?? 0)) * 0x7fff);
  }
  return pcm;
}
