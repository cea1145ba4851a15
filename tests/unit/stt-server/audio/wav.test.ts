import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWav } from "../../../../electron/stt-server/audio/wav.ts";
import { SttError } from "../../../../electron/stt-server/stt-error.ts";
import { makeWav } from "../../../fixtures/audio/make-wav.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-wav-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(bytes: Buffer): Promise<{ sampleRateHz: number; samples: number[] }> {
  const path = join(folder, "a.wav");
  await writeFile(path, bytes);
  const wav = await openWav(path);
  const samples: number[] = [];
  for await (const piece of wav.samples()) samples.push(...piece);
  await wav.close();
  return { sampleRateHz: wav.sampleRateHz, samples };
}

async function refusal(bytes: Buffer): Promise<SttError> {
  const error = await read(bytes).catch((reason: unknown) => reason);
  if (error instanceof SttError) return error;
  throw new Error("It was read.");
}

const tone = Float32Array.from({ length: 10_000 }, (_, i) => 0.5 * Math.sin(i / 7));

it.runIf(process.platform === "linux")("a file that is no sound is not kept open", async () => {
  await refusal(Buffer.from("no sound"));
  const open = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  expect(open).not.toContain(join(folder, "a.wav"));
});

describe("openWav", () => {
  it.each([
    { bits: 8, code: 1, precision: 1 },
    { bits: 16, code: 1, precision: 4 },
    { bits: 24, code: 1, precision: 6 },
    { bits: 32, code: 1, precision: 6 },
    { bits: 32, code: 3, precision: 6 },
    { bits: 64, code: 3, precision: 6 },
  ])("reads $bits bits of format $code", async ({ bits, code, precision }) => {
    const { samples } = await read(makeWav(tone, { bits, code }));
    expect(samples).toHaveLength(tone.length);
    for (const i of [0, 11, 4097, 9999]) expect(samples[i]).toBeCloseTo(tone[i] ?? Number.NaN, precision);
  });

  it("averages the channels and tells the rate", async () => {
    const { samples, sampleRateHz } = await read(
      makeWav([0.5, -0.25, 0.25, 0.25], { channels: 2, rateHz: 44_100 }),
    );
    expect(samples).toEqual([0.125, 0.25]);
    expect(sampleRateHz).toBe(44_100);
  });

  it("skips chunks before the audio, with their padding byte", async () => {
    const list = Buffer.from("LIST\x03\0\0\0abc\0", "latin1");
    expect((await read(makeWav([0.5, 0.25], { before: list }))).samples).toEqual([0.5, 0.25]);
  });

  it("reads to the end where the length is unknown or the file was cut", async () => {
    expect((await read(makeWav([0.5, 0.25], { dataLength: 0 }))).samples).toEqual([0.5, 0.25]);
    expect((await read(makeWav([0.5, 0.25], { dataLength: 0xffffffff }))).samples).toEqual([0.5, 0.25]);
    expect((await read(makeWav(tone).subarray(0, 44 + 2001))).samples).toHaveLength(1000);
  });

  it("takes samples that are no number as silence", async () => {
    expect((await read(makeWav([Number.NaN, 0.5], { bits: 32, code: 3 }))).samples).toEqual([0, 0.5]);
  });

  it.each([
    ["an empty file", Buffer.alloc(0), "not_wav", "it is empty"],
    ["a text", Buffer.from("Dear diary, this is no sound."), "not_wav", "RIFF"],
    ["a WAV without audio", makeWav([]), "not_wav", "no audio"],
    ["A-law", makeWav(tone, { bits: 8, code: 6 }), "unsupported_format", "format code 6"],
    ["12-bit samples", makeWav(tone, { bits: 16 }).fill(12, 34, 35), "unsupported_format", "12-bit"],
  ])("refuses %s and says how to convert it", async (_, bytes, kind, words) => {
    const error = await refusal(bytes);
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(words);
    expect(error.message).toContain("ffmpeg");
  });

  it("says that a file is not there, or is a folder", async () => {
    await expect(openWav(join(folder, "none.wav"))).rejects.toMatchObject({ kind: "file_not_found" });
    await expect(openWav(folder)).rejects.toMatchObject({ kind: "is_directory" });
  });
});
