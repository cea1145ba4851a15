import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { voicingOf } from "../../../../electron/stt-server/signs/voicing.ts";
import { sampleRateHz } from "../../../../shared/voice/stt.ts";

const sound = (ms: number, sampleAt: (index: number) => number) =>
  Int16Array.from({ length: (ms * sampleRateHz) / 1000 }, (_, index) => Math.round(8000 * sampleAt(index)));
const tone = (hz: number) => (index: number) => Math.sin((2 * Math.PI * hz * index) / sampleRateHz);

function noise(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 1_073_741_824 - 1;
  };
}

test.each([90, 150, 220, 350])("a tone of %d Hz is voiced from end to end", (hz) => {
  const { soundMs, voicedShare, voicedMs } = voicingOf(sound(500, tone(hz)));
  expect(soundMs).toBeGreaterThan(400);
  expect(voicedShare).toBeGreaterThan(0.95);
  expect(voicedMs).toBe(soundMs);
});

test("noise has no pitch, however loud, and silence is no sound", () => {
  expect(voicingOf(sound(500, noise())).voicedShare).toBeLessThan(0.1);
  expect(voicingOf(sound(500, () => 0))).toEqual({ soundMs: 0, voicedShare: 0, voicedMs: 0 });
  expect(voicingOf(new Int16Array(0))).toEqual({ soundMs: 0, voicedShare: 0, voicedMs: 0 });
});

test("a burst with a short voiced end is voiced for that long", () => {
  const hiss = noise();
  const voiced = tone(180);
  const burst = sound(400, (index) => (index < 0.3 * sampleRateHz ? hiss() : voiced(index)));
  const { voicedShare, voicedMs } = voicingOf(burst);
  expect(voicedMs).toBeLessThan(110);
  expect(voicedShare).toBeLessThan(0.4);
});

test("a sentence that somebody reads has long vowels", () => {
  const wav = readFileSync(
    resolve(import.meta.dirname, "../../../fixtures/audio/librivox_0870.wav"),
  ).subarray(44);
  const pcm = Int16Array.from({ length: 2 * sampleRateHz }, (_, index) =>
    wav.readInt16LE((index + 8000) * 2),
  );
  const { voicedShare, voicedMs } = voicingOf(pcm);
  expect(voicedShare).toBeGreaterThan(0.6);
  expect(voicedMs).toBeGreaterThan(150);
});
