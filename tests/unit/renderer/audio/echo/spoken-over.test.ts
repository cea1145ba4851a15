import { expect, it } from "vitest";
import { SpokenOverFrames } from "../../../../../renderer/audio/echo/spoken-over.ts";

const frame = () => new Int16Array(512).fill(100);
const sound = () => new Float32Array(512);
const frameMs = 32;

/** So many frames of all three kinds. @returns what of them is listened to */
function pass(frames: SpokenOverFrames, from: number, count: number) {
  const over = [];
  for (let at = from; at < from + count; at++) {
    over.push(...frames.played(sound(), at * frameMs));
    over.push(...frames.raw(frame(), at * frameMs, (pcm) => pcm));
    over.push(...frames.aec(frame()));
  }
  return over;
}

it("what is louder than an echo is told of each stream by itself", () => {
  const frames = new SpokenOverFrames();
  frames.sounds(true);
  const loud = (rms: number) => new Int16Array(512).fill(rms * 0x8000);
  const of = (aec: number) => {
    frames.played(new Float32Array(512).fill(0.1), 0);
    return frames.aec(loud(aec)).map(({ isNear }) => isNear);
  };
  for (let count = 0; count < 300; count++) expect(of(0.001)).toEqual([false]);
  for (let count = 0; count < 8; count++) of(0.1);
  expect(of(0.1)).toEqual([true]);
});

it("nothing is listened to for words to stop while Parley says nothing", () => {
  expect(pass(new SpokenOverFrames(), 0, 40)).toEqual([]);
});

it("while a reply sounds the microphone is listened to in two ways, and for a second after it", () => {
  const frames = new SpokenOverFrames();
  pass(frames, 0, 10);
  frames.sounds(true);
  const begun = pass(frames, 10, 2);
  expect(begun.map(({ of, isFirst }) => `${of} ${isFirst}`)).toEqual([
    "played true",
    "cleaned true",
    "cancelled true",
    "played false",
    "cleaned false",
    "cancelled false",
  ]);
  frames.sounds(false);
  expect(pass(frames, 12, 30).length).toBe(90);
  expect(pass(frames, 42, 30).length).toBeLessThan(9);
  frames.sounds(true);
  expect(pass(frames, 80, 1).every(({ isFirst }) => isFirst)).toBe(true);
});
