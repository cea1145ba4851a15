import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Framer } from "../../../electron/stt-server/audio/framer.ts";
import { openWav } from "../../../electron/stt-server/audio/wav.ts";

export interface Clip {
  name: string;
  /** Where it is from: its name up to the first `_`. */
  source: string;
  transcript: string;
  path: string;
}

/** @param refs holds `name|transcript` lines for `folder/name.wav` @throws Error where it holds none */
export function clipsOf(folder: string, refs: string): Clip[] {
  const clips = readFileSync(refs, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [name = "", transcript = ""] = line.split("|").map((part) => part.trim());
      const source = name.split("_")[0] ?? name;
      return name && transcript ? [{ name, source, transcript, path: join(folder, `${name}.wav`) }] : [];
    });
  if (clips.length === 0) throw new Error(`${refs} holds no line of the form name|transcript.`);
  return clips;
}

/** The clip's samples, 16 kHz mono. */
export async function pcmOf({ path }: Clip): Promise<Int16Array> {
  const wav = await openWav(path);
  const framer = new Framer(wav.sampleRateHz);
  const samples: number[] = [];
  for await (const piece of wav.samples()) for (const { pcm } of framer.push(piece)) samples.push(...pcm);
  for (const { pcm } of framer.flush()) samples.push(...pcm);
  await wav.close();
  return Int16Array.from(samples);
}

/** @param decibels by so much softer */
export function softer(pcm: Int16Array, decibels: number): Int16Array {
  return decibels === 0 ? pcm : pcm.map((sample) => Math.round(sample * 10 ** (-decibels / 20)));
}
