import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EchoRemover } from "../../../../../renderer/audio/echo/echo-remover.ts";

const frame = 512;
const frameMs = 32;

describe("the echo of a reply in a microphone", () => {
  it.each([
    ["that comes late", { drift: 0, gain: 0.25 }],
    ["by clocks that go differently", { drift: 4.5e-4, gain: 0.25 }],
    ["half as loud as the reply", { drift: 0, gain: 0.5 }],
    ["of which a part was lost after it was learned", { drift: 0, gain: 0.25, lost: 100 }],
  ])("is softer by 10 dB at least, %s", (_name, room) => {
    const { heard, cleaned } = listen(room);
    expect(level(cleaned) - level(heard)).toBeLessThan(-10);
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
    const { heard, cleaned } = listen({ drift: 0, gain: 0, near: clip("librivox_0890"), from: 0 });
    expect(cleaned).toEqual(heard);
  });
});

/**
 * Two seconds of a reply are learned from (the third of a second before that moment is not), and the half second around
 * it and after it is cleaned.
 * @param room.from of the frame where somebody begins to speak
 * @param room.lost samples of the echo that never came, soon after that moment
 */
function listen(room: { drift: number; gain: number; near?: Float32Array; from?: number; lost?: number }) {
  const reply = Float32Array.from(
    ["librivox_0870", "librivox_0880", "librivox_0920"].flatMap((name) => [...clip(name)]),
  );
  const learnAt = 70;
  const from = room.from ?? learnAt - 9;
  const remover = new EchoRemover();
  const heard: Int16Array<ArrayBuffer>[] = [];
  const said: number[] = [];
  const cleaned: number[] = [];
  for (let index = 0; index < learnAt + 8; index++) {
    const now = 100_000 + index * frameMs;
    const first = index * frame;
    const near = (at: number) => room.near?.[first + at - from * frame] ?? 0;
    remover.played(reply.subarray(first, first + frame), now);
    const pcm = Int16Array.from({ length: frame }, (_, at) => {
      const lost = index > learnAt + 1 ? (room.lost ?? 0) : 0;
      const place = (first + at) * (1 + room.drift) - 4000 + lost;
      const [one = 0, other = 0] = [reply[Math.floor(place)], reply[Math.floor(place) + 1]];
      const echo = one + (place - Math.floor(place)) * (other - one);
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
    heard: scaled(heard.slice(-17).flatMap((pcm) => [...pcm])),
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
