import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { wordErrors } from "../../../bench/word-errors.ts";
import { makeWav } from "../../../fixtures/audio/make-wav.ts";

const clips = resolve(import.meta.dirname, "../../../fixtures/audio");
const headerBytes = 44;
export const sampleRateHz = 16_000;

/** The samples of a recording in the fixtures, −1…1, 16 kHz, mono. */
export function clipSamples(name: string): number[] {
  const pcm = readFileSync(join(clips, `${name}.wav`)).subarray(headerBytes);
  return Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(index * 2) / 0x8000);
}

export function silence(ms: number): number[] {
  return new Array<number>((ms * sampleRateHz) / 1000).fill(0);
}

/** White noise, the same at every call. @param level 0–1 */
export function whiteNoise(ms: number, level: number): number[] {
  let seed = 1;
  return silence(ms).map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed / 2 ** 31 - 1) * level;
  });
}

/** Writes a WAV of its own for one test. @returns its path */
export function writeWav(...parts: number[][]): string {
  const path = join(mkdtempSync(join(tmpdir(), "parley-wav-")), "speech.wav");
  writeFileSync(path, makeWav(parts.flat()));
  return path;
}

/** Chromium switches that play a WAV, once, into the microphone of the app. */
export function fakeMicrophone(path: string): string[] {
  return [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-audio-capture=${path}%noloop`,
  ];
}

/** How much of a recording was heard wrongly: errors over words, 0 and up. */
export function wordErrorRate(clip: string, heard: string): number {
  const lines = readFileSync(join(clips, "transcripts.txt"), "utf8").split("\n");
  const said = lines.find((line) => line.startsWith(`${clip}|`))?.split("|")[1] ?? "";
  const { errors, words } = wordErrors(said, heard);
  return errors / words;
}
