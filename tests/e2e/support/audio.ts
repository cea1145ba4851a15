import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const clips = resolve(import.meta.dirname, "../../fixtures/audio");
const headerBytes = 44;
export const sampleRateHz = 16_000;

/** The samples of a recording in the fixtures (16-bit PCM, 16 kHz, mono). */
export function clipSamples(name: string): Buffer {
  return readFileSync(join(clips, `${name}.wav`)).subarray(headerBytes);
}

export function silence(ms: number): Buffer {
  return Buffer.alloc(((ms * sampleRateHz) / 1000) * 2);
}

/** Writes a WAV of its own for one test. @returns its path */
export function writeWav(...parts: Buffer[]): string {
  const pcm = Buffer.concat(parts);
  const header = Buffer.alloc(headerBytes);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + pcm.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(pcm.length, 40);
  const path = join(mkdtempSync(join(tmpdir(), "parley-wav-")), "speech.wav");
  writeFileSync(path, Buffer.concat([header, pcm]));
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

/** What was said in the recording. */
export function transcriptOf(name: string): string {
  const lines = readFileSync(join(clips, "transcripts.txt"), "utf8").split("\n");
  return lines.find((line) => line.startsWith(`${name}|`))?.split("|")[1] ?? "";
}

/** Word error rate, 0 and up: substitutions, insertions and deletions over the reference's words. */
export function wordErrorRate(reference: string, heard: string): number {
  const wanted = reference.split(/\s+/);
  const got = heard.split(/\s+/).filter((word) => word !== "");
  let row = got.map((_, index) => index + 1);
  row.unshift(0);
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1];
    for (const [j, other] of got.entries()) {
      const substitution = (row[j] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / wanted.length;
}
