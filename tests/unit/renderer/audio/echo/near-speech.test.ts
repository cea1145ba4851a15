import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NearSpeech } from "../../../../../renderer/audio/echo/near-speech.ts";

const frame = 512;
const frameMs = 32;
/** A tone of this loudness (RMS, 0–1). */
const sound = (ms: number, level: number) =>
  Int16Array.from({ length: ms * 16 }, (_, index) => Math.sin(index / 5) * level * Math.SQRT2 * 0x7fff);

/** @returns after how many milliseconds of the last sound speech was noticed; null: not */
function noticedAfter(near: NearSpeech, pcm: Int16Array): number | null {
  for (let at = 0; at + frame <= pcm.length; at += frame) {
    // Nothing here is told of what is played, so no time counts.
    if (near.add(pcm.subarray(at, at + frame), 0)) return (at + frame) / 16;
  }
  return null;
}

const quietRoom = sound(1000, 0.001);

describe("somebody who speaks over a reply, by loudness", () => {
  it("is noticed within a fifth of a second where the microphone does not hear the reply, and told once", () => {
    const near = new NearSpeech();
    noticedAfter(near, quietRoom);
    near.playing(true);
    expect(noticedAfter(near, quietRoom)).toBeNull();
    const after = noticedAfter(near, sound(1000, 0.05));
    expect(after).toBeGreaterThan(100);
    expect(after).toBeLessThanOrEqual(200);
    expect(noticedAfter(near, sound(1000, 0.05))).toBeNull();
  });

  it("is left to the recogniser where the reply itself comes back from the loudspeaker", () => {
    const near = new NearSpeech();
    noticedAfter(near, quietRoom);
    near.playing(true);
    expect(noticedAfter(near, sound(3000, 0.02))).toBeNull();
    expect(noticedAfter(near, sound(1000, 0.2))).toBeNull();
  });

  it.each([
    ["a knock", sound(60, 0.3)],
    ["a soft fan that starts", sound(1000, 0.003)],
  ])("is not %s", (_name, noise) => {
    const near = new NearSpeech();
    noticedAfter(near, quietRoom);
    near.playing(true);
    noticedAfter(near, quietRoom);
    const both = new Int16Array(noise.length + quietRoom.length);
    both.set(noise);
    both.set(quietRoom, noise.length);
    expect(noticedAfter(near, both)).toBeNull();
  });

  it("is heard whole in the replies after one of which the microphone heard nothing, and until its end", () => {
    const near = new NearSpeech();
    noticedAfter(near, quietRoom);
    expect(near.path).toBe("aec");
    near.playing(true);
    expect(near.path).toBe("aec");
    noticedAfter(near, quietRoom);
    expect(near.path).toBe("raw");
    noticedAfter(near, sound(500, 0.05));
    expect(near.path).toBe("raw");
    near.playing(false);
    noticedAfter(near, sound(500, 0.05));
    expect(near.path).toBe("raw");
    noticedAfter(near, quietRoom);
    expect(near.path).toBe("aec");
    near.playing(true);
    expect(near.path).toBe("raw");
    // The headphones were taken off.
    noticedAfter(near, sound(300, 0.05));
    expect(near.path).toBe("aec");
  });

  it("is not the reply itself, which comes late into the microphone", () => {
    const near = new NearSpeech();
    noticedAfter(near, quietRoom);
    for (let reply = 0; reply < 3; reply++) {
      near.playing(true);
      expect(noticedAfter(near, sound(640, 0.001))).toBeNull();
      expect(noticedAfter(near, sound(2000, 0.05))).toBeNull();
      near.playing(false);
      noticedAfter(near, quietRoom);
    }
  });

  it("is nothing while nothing is said aloud", () => {
    const near = new NearSpeech();
    noticedAfter(near, quietRoom);
    expect(noticedAfter(near, sound(1000, 0.05))).toBeNull();
  });
});

describe("somebody who speaks over a reply that the microphone hears, too", () => {
  it.each([-18, -12])(
    "is noticed within half a second at %s dB of echo, and heard plain once it makes way",
    (dB) => {
      const room = new Room({ gain: decibels(dB) });
      room.play(6000);
      expect(room.near.path).toBe("delayed");
      expect(room.told).toBeNull();
      room.play(1500, clip("librivox_0890"));
      expect(room.told).toBeGreaterThan(64);
      expect(room.told).toBeLessThanOrEqual(500);
      room.near.paused(true);
      expect(room.near.path).toBe("raw");
      // It was nothing, and the reply goes on.
      room.near.paused(false);
      expect(room.near.path).toBe("delayed");
      // And then somebody does speak.
      room.told = null;
      room.play(1500, clip("librivox_0890"));
      expect(room.told).not.toBeNull();
    },
  );

  it("is heard without the reply's echo from that moment on, and before as the microphone hears it", () => {
    const room = new Room({ gain: decibels(-12) });
    room.play(6000);
    expect(room.near.cleaned(room.heard)).toBe(room.heard);
    room.play(1500, clip("librivox_0890"));
    room.near.paused(true);
    // Of the reply something is still on its way, and nobody speaks any more.
    room.play(320);
    expect(loudness(room.near.cleaned(room.heard))).toBeLessThan(loudness(room.heard) / 3);
  });

  it("was nothing where the reply went on to its end, and is told again in the reply after", () => {
    const room = new Room({ gain: decibels(-12) });
    room.play(6000);
    room.play(1500, clip("librivox_0890"));
    expect(room.told).not.toBeNull();
    room.near.playing(false);
    expect(room.near.path).toBe("aec");
    room.near.playing(true);
    room.told = null;
    room.play(1500, clip("librivox_0890"));
    expect(room.told).not.toBeNull();
  });

  it("ended one reply, and is told again in the next", () => {
    const room = new Room({ gain: decibels(-12) });
    room.play(6000);
    room.play(1500, clip("librivox_0890"));
    room.near.paused(true);
    room.near.playing(false);
    expect(room.near.path).toBe("raw");
    room.near.playing(true);
    room.told = null;
    room.play(1500, clip("librivox_0890"));
    expect(room.told).not.toBeNull();
  });

  it.each([-12, -6, 0])("is not the reply alone, at %s dB of echo, with sound lost on its way", (dB) => {
    const room = new Room({ gain: decibels(dB) });
    room.play(5000);
    room.late(90);
    room.play(5000);
    room.late(-120);
    room.play(5000);
    expect(room.told).toBeNull();
  });

  it.each([2, 4])(
    "is not the loudspeaker, turned up to %s times as loud in the middle of a reply",
    (times) => {
      const room = new Room({ gain: decibels(-18) });
      room.play(5000);
      room.louder(times);
      room.play(6000);
      expect(room.told).toBeNull();
    },
  );

  it("is not the reply in a microphone that did not hear it before: the headphones were taken off", () => {
    const room = new Room({ gain: 0 });
    room.play(4000);
    expect(room.near.path).toBe("raw");
    room.gain = decibels(-12);
    room.play(4000);
    expect(room.told).toBeNull();
    expect(room.near.path).toBe("delayed");
  });
});

/** RMS. */
const loudness = (pcm: Int16Array) => Math.sqrt(pcm.reduce((sum, one) => sum + one * one, 0) / pcm.length);

const decibels = (dB: number) => 10 ** (dB / 20);

function clip(name: string): Float32Array {
  const bytes = readFileSync(join(import.meta.dirname, "../../../../fixtures/audio", `${name}.wav`)).subarray(
    44,
  );
  return Float32Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2) / 0x8000);
}

/** A loudspeaker that says the other clips one after the other, and a microphone that hears them a quarter of a second later. */
class Room {
  readonly near = new NearSpeech();
  gain: number;
  /** After how many milliseconds of the latest piece speech was told first. */
  told: number | null = null;
  /** The latest frame. */
  heard = new Int16Array(frame);
  readonly #reply = ["librivox_0870", "librivox_0880", "librivox_0920", "librivox_0930"].flatMap((name) => [
    ...clip(name),
  ]);
  #at = 0;
  #lateMs = 250;

  constructor({ gain }: { gain: number }) {
    this.gain = gain;
    noticedAfter(this.near, quietRoom);
    this.near.playing(true);
  }

  late(moreMs: number): void {
    this.#lateMs += moreMs;
  }

  louder(times: number): void {
    this.gain *= times;
  }

  /** @param near what somebody says meanwhile */
  play(ms: number, near?: Float32Array): void {
    for (let from = 0; from < ms * 16; from += frame) {
      const now = 100_000 + this.#at / 16;
      const played = Float32Array.from({ length: frame }, (_, index) => this.#sample(this.#at + index));
      const heard = Int16Array.from({ length: frame }, (_, index) => {
        const echo = this.#sample(this.#at + index - this.#lateMs * 16) * this.gain;
        return Math.max(-1, Math.min(1, echo + (near?.[from + index] ?? 0))) * 0x7fff;
      });
      this.near.played(played.subarray(0, frame / 2), now - frameMs / 2);
      this.near.played(played.subarray(frame / 2), now);
      this.heard = heard;
      if (this.near.add(heard, now)) this.told ??= (from + frame) / 16;
      this.#at += frame;
    }
  }

  #sample(at: number): number {
    return at < 0 ? 0 : (this.#reply[at % this.#reply.length] ?? 0);
  }
}
