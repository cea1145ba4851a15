import { describe, expect, it } from "vitest";
import { EchoCanceller } from "../../../../../renderer/audio/echo/echo-canceller.ts";
import { clipSamples } from "../../../../e2e/support/machine/audio.ts";

const frame = 512;
const frameMs = 32;
const reply = ["librivox_0870", "librivox_0880", "librivox_0930", "librivox_0920"].flatMap(clipSamples);
const voice = clipSamples("librivox_0890");

interface Room {
  dB: number;
  /** The room resounds for so long. */
  tailMs?: number;
  /** When somebody speaks, in seconds. */
  nearAt?: number;
  /** What the microphone hears is there so much later than the clock says, from this second on. */
  jump?: { at: number; samples: number };
}

describe("the echo of a reply", () => {
  it.each<[string, Room, number]>([
    ["at −12 dB", { dB: -12 }, 18],
    ["as loud as the reply", { dB: 0 }, 18],
    ["in a room that resounds", { dB: -6, tailMs: 200 }, 16],
  ])("%s is taken out, without a word of how late it comes", (_name, room, least) => {
    const { heard, left } = listen(room);
    const [from, to] = [10, 14];
    expect(level(heard, from, to) - level(left, from, to)).toBeGreaterThan(least);
  });

  it("is taken out under who speaks over it, who stays", () => {
    const { left, near } = listen({ dB: -3, tailMs: 200, nearAt: 10 });
    const error = left.map((sample, at) => sample - (near[at] ?? 0));
    expect(level(error, 10, 11.5) - level(near, 10, 11.5)).toBeLessThan(-8);
  });

  it("is learned anew after the sound has jumped", () => {
    const { heard, left } = listen({ dB: -6, jump: { at: 6, samples: 300 } });
    expect(level(heard, 11, 14) - level(left, 11, 14)).toBeGreaterThan(10);
  });
});

it("silence stays silence, but for a breath of noise", () => {
  const canceller = new EchoCanceller();
  canceller.played(new Float32Array(frame), 1_000);
  const left = canceller.cancelled(new Int16Array(frame), 1_000);
  expect(Math.max(...left.map(Math.abs))).toBeLessThan(100);
});

/** A reply through a room, cancelled frame by frame. */
function listen(room: Room) {
  const canceller = new EchoCanceller();
  const response = responseOf(room);
  const heard: number[] = [];
  const left: number[] = [];
  const near: number[] = [];
  for (let first = 0; first + frame <= reply.length; first += frame) {
    const at = 50_000 + (first / frame) * frameMs;
    canceller.played(Float32Array.from(reply.slice(first, first + frame)), at);
    const late = room.jump && first > room.jump.at * 16_000 ? room.jump.samples : 0;
    const pcm = Int16Array.from({ length: frame }, (_, index) => {
      let echo = 0;
      for (const [tap, gain] of response) echo += gain * (reply[first + index - tap - late] ?? 0);
      const said = room.nearAt === undefined ? 0 : (voice[first + index - room.nearAt * 16_000] ?? 0);
      near.push(said);
      heard.push(echo + said);
      return Math.max(-1, Math.min(1, echo + said)) * 0x7fff;
    });
    for (const sample of canceller.cancelled(pcm, at + 4)) left.push(sample / 0x7fff);
  }
  return { heard, left, near };
}

/** By how many samples the sound comes later, and how loud: the sound itself, and reflections that die away. */
function responseOf({ dB, tailMs = 0 }: Room): [number, number][] {
  const response: [number, number][] = [[1_100, 1]];
  let seed = 3;
  for (let tap = 40; tap < tailMs * 16; tap += 40) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    response.push([1_100 + tap, 0.25 * (seed / 0x80000000 - 1) * Math.exp((-6.9 * tap) / (tailMs * 16))]);
  }
  const power = response.reduce((sum, [, gain]) => sum + gain * gain, 0);
  return response.map(([tap, gain]) => [tap, (gain * 10 ** (dB / 20)) / Math.sqrt(power)]);
}

/** In dB, of the samples between two seconds. */
const level = (samples: number[], from: number, to: number) => {
  const part = samples.slice(from * 16_000, to * 16_000);
  return 10 * Math.log10(part.reduce((sum, one) => sum + one * one, 1e-9) / part.length);
};
