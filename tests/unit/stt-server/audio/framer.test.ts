import { describe, expect, it } from "vitest";
import type { AudioFrame } from "../../../../electron/stt-server/audio/audio-source.ts";
import { FrameQueue, maxQueuedMs } from "../../../../electron/stt-server/audio/frame-queue.ts";
import { Framer } from "../../../../electron/stt-server/audio/framer.ts";
import { ManualClock } from "../manual-clock.ts";

const sine = (hz: number, rateHz: number, seconds: number) =>
  Float32Array.from({ length: rateHz * seconds }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / rateHz));

function cut(samples: Float32Array, rateHz: number, pieceSamples: number): AudioFrame[] {
  const framer = new Framer(rateHz);
  const frames: AudioFrame[] = [];
  for (let at = 0; at < samples.length; at += pieceSamples) {
    frames.push(...framer.push(samples.subarray(at, at + pieceSamples)));
  }
  return [...frames, ...framer.flush()];
}

/** How much of a tone of `hz` is in the second half of 16 kHz samples: its amplitude. */
function amplitude(frames: AudioFrame[], hz: number): number {
  const samples = frames.flatMap(({ pcm }) => [...pcm]);
  const half = samples.slice(samples.length / 4, (samples.length * 3) / 4);
  const sum = half.reduce(
    ([re, im], sample, i) => {
      const angle = (2 * Math.PI * hz * i) / 16_000;
      return [re + sample * Math.cos(angle), im + sample * Math.sin(angle)] as const;
    },
    [0, 0] as readonly [number, number],
  );
  return (2 * Math.hypot(...sum)) / half.length / 32_768;
}

describe("Framer", () => {
  it("cuts 16 kHz audio into frames of 512 samples that change nothing", () => {
    const samples = Float32Array.from({ length: 1300 }, (_, i) => (i - 650) / 32_768);
    const frames = cut(samples, 16_000, 97);
    expect(frames.map(({ sampleIndex, pcm }) => [sampleIndex, pcm.length])).toEqual([
      [0, 512],
      [512, 512],
      [1024, 512],
    ]);
    expect(frames.flatMap(({ pcm }) => [...pcm]).slice(0, 1300)).toEqual(
      [...samples].map((x) => Math.round(x * 32_768)),
    );
  });

  it.each([8000, 22_050, 44_100, 48_000])("resamples %i Hz: pitch, level and length stay", (rateHz) => {
    const frames = cut(sine(440, rateHz, 2), rateHz, 1000);
    expect(frames.length * 512).toBeGreaterThan(31_900);
    expect(frames.length * 512).toBeLessThan(33_100);
    expect(amplitude(frames, 440)).toBeCloseTo(0.5, 1);
  });

  it("lets nothing above 8 kHz fold back into what is heard", () => {
    // Dropping every third sample would turn 11 kHz into a loud 5 kHz.
    expect(amplitude(cut(sine(11_000, 48_000, 2), 48_000, 1000), 5000)).toBeLessThan(0.02);
  });

  it("clips what is too loud instead of wrapping around", () => {
    const [frame] = cut(Float32Array.from([2, -2]), 16_000, 2);
    expect([...(frame?.pcm.slice(0, 2) ?? [])]).toEqual([32_767, -32_768]);
  });
});

describe("FrameQueue", () => {
  const frame = (sampleIndex: number) => ({ sampleIndex, pcm: new Int16Array(512) });

  async function drain(queue: FrameQueue): Promise<number[]> {
    const seen: number[] = [];
    for await (const { sampleIndex } of queue) seen.push(sampleIndex);
    return seen;
  }

  it("hands over what was pushed before and while it is read, also after the end", async () => {
    const queue = new FrameQueue();
    queue.push(frame(0));
    const reading = drain(queue);
    queue.push(frame(512));
    queue.end();
    queue.push(frame(1024));
    expect(await reading).toEqual([0, 512]);
  });

  it("throws its error after the last frame", async () => {
    const queue = new FrameQueue();
    queue.push(frame(0));
    queue.end(new Error("unplugged"));
    queue.end();
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const { sampleIndex } of queue) seen.push(sampleIndex);
      })(),
    ).rejects.toThrow("unplugged");
    expect(seen).toEqual([0]);
  });

  it("gives up on a source that sends nothing, not on one that is slow", async () => {
    const clock = new ManualClock();
    const queue = new FrameQueue({ clock, afterMs: 10_000, error: new Error("no sound") });
    const frames = queue[Symbol.asyncIterator]();
    const first = frames.next();
    clock.advance(9_999);
    queue.push(frame(0));
    expect((await first).value).toEqual(frame(0));
    const second = frames.next();
    clock.advance(9_999);
    queue.push(frame(512));
    expect((await second).value).toEqual(frame(512));
    const third = frames.next();
    clock.advance(10_000);
    await expect(third).rejects.toThrow("no sound");
  });

  it("holds a limited stretch of audio; the loss shows in the index", async () => {
    const queue = new FrameQueue();
    for (let i = 0; i < 2000; i++) queue.push(frame(i * 512));
    queue.end();
    const seen = await drain(queue);
    expect((seen.length * 512) / 16).toBeLessThan(maxQueuedMs + 64);
    expect(seen.length).toBeLessThan(2000);
  });
});
