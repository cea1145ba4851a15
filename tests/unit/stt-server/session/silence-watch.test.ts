import { describe, expect, it } from "vitest";
import type { AudioFrame } from "../../../../electron/stt-server/audio/audio-source.ts";
import { FrameQueue } from "../../../../electron/stt-server/audio/frame-queue.ts";
import { SessionLog } from "../../../../electron/stt-server/session/session-log.ts";
import {
  longSilenceMs,
  SilenceWatch,
  silenceMs,
} from "../../../../electron/stt-server/session/silence-watch.ts";
import { frameMs, frameSamples } from "../../../../shared/voice/stt.ts";
import { ManualClock } from "../manual-clock.ts";

/** Noise that is the same in each run, as loud as that. @param db RMS, dBFS; null: exact zeros */
function pcmAt(db: number | null): Int16Array {
  const pcm = new Int16Array(frameSamples);
  if (db === null) return pcm;
  const peak = 10 ** (db / 20) * 0x8000 * Math.sqrt(3);
  let seed = 1;
  return pcm.map(() => {
    seed = (seed * 48_271) % 0x7fffffff;
    return Math.round((seed / 0x7fffffff) * 2 * peak - peak);
  });
}

function rig({ isMuted = null as boolean | null, isProcessed = false } = {}) {
  const clock = new ManualClock();
  const log = new SessionLog(clock);
  const device = { isMuted };
  const watch = new SilenceWatch({ clock, log, isMuted: async () => device.isMuted, isProcessed });
  const queue = new FrameQueue();
  const frames = watch.watched(queue)[Symbol.asyncIterator]();
  const told = () =>
    log.read(0, 100).map((event) => {
      if (event.type !== "info") return event.type;
      const payload = JSON.stringify(event.payload ?? null);
      return payload === "null" ? event.message : `${event.message} ${payload}`;
    });
  let sampleIndex = 0;
  /** So much sound, as fast as it goes. */
  const hear = async (ms: number, db: number | null, more: Partial<AudioFrame> = {}) => {
    const pcm = pcmAt(db);
    for (let done = 0; done < ms; done += frameMs) {
      queue.push({ sampleIndex, pcm, ...more });
      sampleIndex += frameSamples;
      await frames.next();
    }
  };
  return { clock, watch, device, queue, frames, told, hear };
}

const noSound = `no_sound {"system_muted":false}`;
const muted = `no_sound {"system_muted":true}`;

describe("a microphone that gives nothing", () => {
  it.each([
    ["exact zeros", null],
    ["a floor of −85 dBFS", -85],
  ])("is told of once, after its time: %s", async (_, db) => {
    const { told, hear } = rig();
    await hear(silenceMs - 2 * frameMs, db);
    expect(told()).toEqual([]);
    await hear(3 * silenceMs, db);
    expect(told()).toEqual([noSound]);
  });

  it.each([-75, -65])("is not one that hears a quiet room, with noise of its own at %d dBFS", async (db) => {
    const { told, hear } = rig();
    await hear(2 * longSilenceMs, db);
    expect(told()).toEqual([]);
  });

  it("is heard again with its first sound, and told of again only after a longer time", async () => {
    const { told, hear } = rig();
    await hear(silenceMs + frameMs, null);
    await hear(frameMs, -40);
    expect(told()).toEqual([noSound, "sound"]);
    await hear(longSilenceMs - 2 * frameMs, null);
    expect(told()).toEqual([noSound, "sound"]);
    await hear(3 * frameMs, null);
    expect(told()).toEqual([noSound, "sound", noSound]);
  });

  // Headsets give zeros between words.
  it("is not one that was heard, and gives zeros between words", async () => {
    const { told, hear } = rig();
    for (let word = 0; word < 4; word++) {
      await hear(500, -30);
      await hear(longSilenceMs - 500, null);
    }
    expect(told()).toEqual([]);
  });

  it("is known by its sound before the browser changes it, where the source knows that", async () => {
    const quietRoom = rig({ isProcessed: true });
    await quietRoom.hear(2 * longSilenceMs, null, { isSilent: false });
    expect(quietRoom.told()).toEqual([]);
    const mutedOne = rig({ isProcessed: true });
    await mutedOne.hear(silenceMs + frameMs, null, { isSilent: true });
    expect(mutedOne.told()).toEqual([noSound]);
  });

  it("is doubted for longer where its sound is known only as the browser changes it", async () => {
    const { told, hear } = rig({ isProcessed: true });
    await hear(longSilenceMs - 2 * frameMs, null);
    expect(told()).toEqual([]);
    await hear(3 * frameMs, null);
    expect(told()).toEqual([noSound]);
  });

  it("is told of as muted where the system says so, though it was heard before", async () => {
    const { told, hear, device } = rig();
    await hear(500, -30);
    device.isMuted = true;
    await hear(silenceMs + frameMs, null);
    expect(told()).toEqual([muted]);
  });

  it("is told of where no frames come at all", async () => {
    const { told, clock, queue, frames } = rig();
    const next = frames.next();
    clock.advance(silenceMs - 1);
    await Promise.resolve();
    expect(told()).toEqual([]);
    clock.advance(1);
    await expect.poll(told).toEqual([noSound]);
    queue.push({ sampleIndex: 0, pcm: pcmAt(-40) });
    await next;
    expect(told()).toEqual([noSound, "sound"]);
  });

  it("is judged anew where another device is heard", async () => {
    const { told, hear, watch } = rig();
    await hear(500, -30);
    await hear(silenceMs / 2, null);
    watch.restart();
    await hear(silenceMs - 2 * frameMs, null);
    expect(told()).toEqual([]);
    await hear(3 * frameMs, null);
    expect(told()).toEqual([noSound]);
  });
});
