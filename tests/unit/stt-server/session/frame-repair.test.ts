import { expect, test } from "vitest";
import { FrameQueue } from "../../../../electron/stt-server/audio/frame-queue.ts";
import { stalledMs, watchedFrames } from "../../../../electron/stt-server/session/frame-repair.ts";
import { ManualClock } from "../manual-clock.ts";

const frame = (sampleIndex: number) => ({ sampleIndex, pcm: new Int16Array(512) });

test("frames pass; word comes once when none does for a while, and once when they come again", async () => {
  const clock = new ManualClock();
  const queue = new FrameQueue();
  const told: boolean[] = [];
  const frames = watchedFrames(queue, clock, (flows) => told.push(flows));
  queue.push(frame(0));
  expect((await frames.next()).value).toMatchObject({ sampleIndex: 0 });

  const next = frames.next();
  clock.advance(stalledMs - 1);
  await Promise.resolve();
  expect(told).toEqual([]);
  clock.advance(1);
  clock.advance(stalledMs);
  await Promise.resolve();
  expect(told).toEqual([false]);
  queue.push(frame(512));
  expect((await next).value).toMatchObject({ sampleIndex: 512 });
  expect(told).toEqual([false, true]);

  queue.end();
  expect((await frames.next()).done).toBe(true);
  expect(clock.sleeping).toBe(0);
});

// Bug: a recogniser that takes its time would be taken for a microphone that is silent.
test("time that the reader takes for itself is no silence", async () => {
  const clock = new ManualClock();
  const queue = new FrameQueue();
  const told: boolean[] = [];
  const frames = watchedFrames(queue, clock, (flows) => told.push(flows));
  queue.push(frame(0));
  await frames.next();
  clock.advance(10 * stalledMs);
  queue.push(frame(512));
  await frames.next();
  expect(told).toEqual([]);
});

test("what ends the source ends the reader, with its reason", async () => {
  const queue = new FrameQueue();
  const frames = watchedFrames(queue, new ManualClock(), () => {});
  queue.end(new Error("gone"));
  await expect(frames.next()).rejects.toThrow("gone");
});
