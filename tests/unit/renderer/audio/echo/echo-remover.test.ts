import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EchoRemover } from "../../../../../renderer/audio/echo/echo-remover.ts";

const frame = 512;
const frameMs = 32;
const firstReply = ["librivox_0870", "librivox_0880", "librivox_0920"];
const secondReply = ["librivox_0870", "librivox_0880", "librivox_0890"];
const thirdReply = ["librivox_0930", "librivox_0870", "librivox_0880"];

describe("the echo of a reply in a microphone", () => {
  it.each<[string, number, Room]>([
    ["that comes late", 10, { gain: 0.25 }],
    ["by clocks that go differently", 10, { drift: 4.5e-4, gain: 0.25 }],
    ["by clocks that differ by a thousandth", 10, { drift: 1e-3, gain: 0.25 }],
    ["half as loud as the reply", 10, { gain: 0.5 }],
    ["of which a part was lost after it was learned", 10, { gain: 0.25, lost: 100 }],
    ["of which more was lost than it may move at a time", 10, { gain: 0.25, lost: 400, frames: 30 }],
    // Some tenths of a second of it are mistaken for others there.
    [
      "in a room that resounds",
      19,
      { gain: 0.5, isResounding: true, learnAt: 75, frames: 25, reply: thirdReply },
    ],
  ])("is softer, %s, by %s dB at least", (_name, dB, room) => {
    const { heard, cleaned } = listen(room);
    expect(level(cleaned) - level(heard)).toBeLessThan(-dB);
  });

  it("stays as it is where it is none that a room makes of the reply, as of a loudspeaker that is too small for it", () => {
    const room = { drift: -2e-4, gain: 0.25, most: 0.05, learnAt: 109, frames: 25, reply: secondReply };
    const { heard, cleaned } = listen(room);
    expect(cleaned).toEqual(heard);
  });

  it("leaves what somebody says over it, which was buried in it before", () => {
    const near = clip("librivox_0890").map((sample) => sample / 2);
    const { heard, cleaned, said } = listen({ drift: 4.5e-4, gain: 0.25, near });
    const error = (samples: Float32Array) =>
      level(samples.map((sample, at) => sample - (said[at] ?? 0))) - level(said);
    expect(error(cleaned)).toBeLessThan(-10);
    expect(error(cleaned)).toBeLessThan(error(heard) - 6);
  });

  it("is nothing where a sound is none of what is played: that stays as it is, to the sample", () => {
    const { heard, cleaned } = listen({ gain: 0, near: clip("librivox_0890"), from: 0 });
    expect(cleaned).toEqual(heard);
  });
});

interface Room {
  gain: number;
  /** By how much the microphone's clock goes faster, as a share. */
  drift?: number;
  /** What somebody says meanwhile, and of which frame on. */
  near?: Float32Array;
  from?: number;
  /** Samples of the echo that never came, soon after the moment when it is learned. */
  lost?: number;
  /** The echo comes five times more, softer each time. */
  isResounding?: boolean;
  /** The loudspeaker does not get louder than this. */
  most?: number;
  reply?: string[];
  /** The frame at which it is learned, and how many follow. */
  learnAt?: number;
  frames?: number;
}

/**
 * A second of a reply is learned from (the third of a second before that moment is not), and what is heard around it and
 * after it is cleaned.
 */
function listen(room: Room) {
  const reply = Float32Array.from((room.reply ?? firstReply).flatMap((name) => [...clip(name)]));
  const { drift = 0, learnAt = 70, frames = 8, most = 1 } = room;
  const from = room.from ?? learnAt - 9;
  const remover = new EchoRemover();
  const heard: Int16Array<ArrayBuffer>[] = [];
  const said: number[] = [];
  const cleaned: number[] = [];
  for (let index = 0; index < learnAt + frames; index++) {
    const now = 100_000 + index * frameMs;
    const first = index * frame;
    const near = (at: number) => room.near?.[first + at - from * frame] ?? 0;
    remover.played(reply.subarray(first, first + frame), now);
    const pcm = Int16Array.from({ length: frame }, (_, at) => {
      const lost = index > learnAt + 1 ? (room.lost ?? 0) : 0;
      const place = (first + at) * (1 + drift) - 4000 + lost;
      const before = Math.floor(place);
      const [one = 0, other = 0] = [reply[before], reply[before + 1]];
      let echo = one + (place - before) * (other - one);
      for (let time = 1; room.isResounding && time < 6; time++)
        echo += (reply[before - time * 37] ?? 0) * 0.6 ** time;
      echo = Math.max(-most, Math.min(most, echo));
      return Math.max(-1, Math.min(1, room.gain * echo + near(at))) * 0x7fff;
    });
    heard.push(pcm);
    remover.heard(pcm, now);
    if (index < learnAt - 9) continue;
    said.push(...Array.from({ length: frame }, (_, at) => near(at)));
    if (index === learnAt) remover.learn();
    const late = index < learnAt ? [] : index === learnAt ? heard.slice(-10) : [pcm];
    for (const one of late) cleaned.push(...remover.cleaned(one));
  }
  return {
    heard: scaled(heard.slice(-9 - frames).flatMap((pcm) => [...pcm])),
    cleaned: scaled(cleaned),
    said: Float32Array.from(said),
  };
}

const scaled = (samples: number[]) => Float32Array.from(samples, (sample) => sample / 0x8000);

/** In dB. */
const level = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);

function clip(name: string): Float32Array {
  const bytes = readFileSync(join(import.meta.dirname, "../../../../fixtures/audio", `${name}.wav`)).subarray(
    44,
  );
  return Float32Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2) / 0x8000);
}
