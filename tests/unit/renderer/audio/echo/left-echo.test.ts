import { expect, test } from "vitest";
import { LeftEcho } from "../../../../../renderer/audio/echo/left-echo.ts";
import { seeded } from "../../../../bench/voice/recordings.ts";

const frameSamples = 512;
/** Frames, some 10 s: an echo is known. */
const long = 320;

/** A frame as loud as this (RMS, 0–1). */
const played = (rms: number) => new Float32Array(frameSamples).fill(rms);
const heard = (rms: number) => new Int16Array(frameSamples).fill(rms * 0x8000);
const share = (db: number) => 10 ** (db / 20);

/** Something is played, as loud as speech is, and heard so much softer. @returns how many frames were taken for a voice */
function pass(left: LeftEcho, frames: number, db: (frame: number) => number) {
  const random = seeded(3);
  let near = 0;
  for (let frame = 0; frame < frames; frame++) {
    const rms = 0.05 + 0.1 * random();
    left.played(played(rms));
    if (left.isNear(heard(rms * share(db(frame))))) near += 1;
  }
  return near;
}

test("an echo is no voice, whether it is cancelled well or not at all", () => {
  for (const db of [-40, -20, -8]) expect(pass(new LeftEcho(-18), 2 * long, () => db)).toBe(0);
  for (const db of [-4, 0]) {
    const left = new LeftEcho(-18);
    pass(left, 60, () => db);
    expect(pass(left, 2 * long, () => db)).toBe(0);
  }
});

test("nor is one whose loudness changes all the time by some dB", () => {
  const random = seeded(5);
  expect(pass(new LeftEcho(-18), 4 * long, () => -14 + 12 * random())).toBe(0);
});

test("a voice as loud as the reply is heard at once where the echo of it is cancelled", () => {
  const left = new LeftEcho(-18);
  expect(pass(left, long, () => -20)).toBe(0);
  expect(pass(left, 10, () => 0)).toBeGreaterThanOrEqual(9);
});

test("where it is not, a voice is not told from it", () => {
  const left = new LeftEcho(-18);
  pass(left, long, () => 0);
  expect(pass(left, 10, () => 3)).toBe(0);
});

test("a voice is heard the second time, too", () => {
  const left = new LeftEcho(-18);
  pass(left, long, () => -20);
  pass(left, 12, () => 0);
  pass(left, 60, () => -20);
  expect(pass(left, 10, () => 0)).toBeGreaterThan(5);
});

test("before the echo is known, a voice as loud as the reply is heard where the echo is cancelled, and where it is softer than that", () => {
  for (const db of [-40, -20, -10])
    for (const from of [5, 30, 80, 140]) {
      const left = new LeftEcho(-18);
      expect(pass(left, from, () => db)).toBe(0);
      expect(pass(left, 12, () => 0)).toBeGreaterThan(5);
    }
});

test("nothing is told of what is softer than any voice, nor at first of what is softer than the reply", () => {
  expect(pass(new LeftEcho(-18), 100, (frame) => (frame < 80 ? -40 : -9))).toBe(0);
  const left = new LeftEcho(-12);
  pass(left, long, () => -60);
  expect(pass(left, 20, () => -15)).toBe(0);
});

test("where nothing is played what is loud is no echo, and silence is nobody", () => {
  const left = new LeftEcho(-18);
  for (let frame = 0; frame < 30; frame++) left.played(played(0));
  expect(left.isNear(heard(0.0005))).toBe(false);
  for (let frame = 0; frame < 8; frame++) left.isNear(heard(0.05));
  expect(left.isNear(heard(0.05))).toBe(true);
});
