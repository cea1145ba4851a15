import { describe, expect, it } from "vitest";
import { NearSpeech } from "../../../renderer/audio/near-speech.ts";

const frame = 512;
/** A tone of this loudness (RMS, 0–1). */
const sound = (ms: number, level: number) =>
  Int16Array.from({ length: ms * 16 }, (_, index) => Math.sin(index / 5) * level * Math.SQRT2 * 0x7fff);

/** @returns after how many milliseconds of the last sound speech was noticed; null: not */
function noticedAfter(ear: NearSpeech, pcm: Int16Array): number | null {
  for (let at = 0; at + frame <= pcm.length; at += frame) {
    if (ear.add(pcm.subarray(at, at + frame))) return (at + frame) / 16;
  }
  return null;
}

const quietRoom = sound(1000, 0.001);

describe("somebody who speaks over a reply, by loudness", () => {
  it("is noticed within a fifth of a second where the microphone does not hear the reply, and told once", () => {
    const ear = new NearSpeech();
    noticedAfter(ear, quietRoom);
    ear.playing(true);
    expect(noticedAfter(ear, quietRoom)).toBeNull();
    const after = noticedAfter(ear, sound(1000, 0.05));
    expect(after).toBeGreaterThan(100);
    expect(after).toBeLessThanOrEqual(200);
    expect(noticedAfter(ear, sound(1000, 0.05))).toBeNull();
  });

  it("is left to the recogniser where the reply itself comes back from the loudspeaker", () => {
    const ear = new NearSpeech();
    noticedAfter(ear, quietRoom);
    ear.playing(true);
    expect(noticedAfter(ear, sound(3000, 0.02))).toBeNull();
    expect(noticedAfter(ear, sound(1000, 0.2))).toBeNull();
  });

  it.each([
    ["a knock", sound(60, 0.3)],
    ["a soft fan that starts", sound(1000, 0.003)],
  ])("is not %s", (_name, noise) => {
    const ear = new NearSpeech();
    noticedAfter(ear, quietRoom);
    ear.playing(true);
    noticedAfter(ear, quietRoom);
    const both = new Int16Array(noise.length + quietRoom.length);
    both.set(noise);
    both.set(quietRoom, noise.length);
    expect(noticedAfter(ear, both)).toBeNull();
  });

  it("is heard whole in the replies after one of which the microphone heard nothing, and until its end", () => {
    const ear = new NearSpeech();
    noticedAfter(ear, quietRoom);
    expect(ear.isClear).toBe(false);
    ear.playing(true);
    expect(ear.isClear).toBe(false);
    noticedAfter(ear, quietRoom);
    expect(ear.isClear).toBe(true);
    noticedAfter(ear, sound(500, 0.05));
    expect(ear.isClear).toBe(true);
    ear.playing(false);
    noticedAfter(ear, sound(500, 0.05));
    expect(ear.isClear).toBe(true);
    noticedAfter(ear, quietRoom);
    expect(ear.isClear).toBe(false);
    ear.playing(true);
    expect(ear.isClear).toBe(true);
    // The headphones were taken off.
    noticedAfter(ear, sound(300, 0.05));
    expect(ear.isClear).toBe(false);
  });

  it("is not the reply itself, which comes late into the microphone", () => {
    const ear = new NearSpeech();
    noticedAfter(ear, quietRoom);
    for (let reply = 0; reply < 3; reply++) {
      ear.playing(true);
      expect(noticedAfter(ear, sound(640, 0.001))).toBeNull();
      expect(noticedAfter(ear, sound(2000, 0.05))).toBeNull();
      ear.playing(false);
      noticedAfter(ear, quietRoom);
    }
  });

  it("is nothing while nothing is said aloud", () => {
    const ear = new NearSpeech();
    noticedAfter(ear, quietRoom);
    expect(noticedAfter(ear, sound(1000, 0.05))).toBeNull();
  });
});
