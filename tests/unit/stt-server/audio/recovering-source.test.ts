import { describe, expect, it } from "vitest";
import type { AudioFrame, AudioSource } from "../../../../electron/stt-server/audio/audio-source.ts";
import { RecoveringSource, recoverMs } from "../../../../electron/stt-server/audio/recovering-source.ts";
import { SttError } from "../../../../electron/stt-server/stt-error.ts";
import { InstantClock } from "../../../fakes/clock.ts";

const frame: AudioFrame = { sampleIndex: 0, pcm: new Int16Array(512) };

/** Devices that come, go and refuse as `opens` says, in the order in which they are tried. */
function rig(opens: ((name: string) => unknown)[], wanted: { deviceId?: string } = {}) {
  const clock = new InstantClock();
  const tried: string[] = [];
  const devices = { list: ["usb"], isWatched: false };
  const source = new RecoveringSource({
    wanted,
    clock,
    devices: {
      onChange: () => {
        devices.isWatched = true;
        return () => {
          devices.isWatched = false;
        };
      },
      list: async () => devices.list.map((id) => ({ id, name: id, is_default: false })),
    },
    create: ({ deviceId = "default" }): AudioSource => {
      let close = () => {};
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      let breaks: unknown = null;
      return {
        open: async () => {
          tried.push(deviceId);
          breaks = await opens.shift()?.(deviceId);
          return { deviceId, deviceName: deviceId };
        },
        async *frames() {
          yield frame;
          if (breaks instanceof Error) throw breaks;
          await closed;
        },
        close: async () => close(),
      };
    },
  });
  const { signal } = new AbortController();
  return { source, clock, tried, devices, open: () => source.open(signal) };
}

const fails = (kind: string) => () => {
  throw new SttError(kind, "No.");
};
const breaksOff = () => new SttError("device_lost", "It was unplugged.");
const fine = () => null;

describe("a source that outlives its device", () => {
  it("does not try again where the user has refused the microphone", async () => {
    const { source, tried, clock, open } = rig([() => new SttError("NotAllowedError", "No.")]);
    await open();
    const frames = source.frames();
    await frames.next();
    await expect(frames.next()).rejects.toMatchObject({ kind: "NotAllowedError" });
    expect([tried, clock.slept]).toEqual([["default"], []]);
  });

  it("gives up after its time, with longer and longer pauses, and tells the last reason", async () => {
    const { source, clock, open } = rig([
      breaksOff,
      ...Array.from({ length: 50 }, () => fails("NotReadableError")),
    ]);
    await open();
    const frames = source.frames();
    await frames.next();
    await expect(frames.next()).rejects.toMatchObject({ kind: "NotReadableError" });
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(recoverMs);
  });

  // Bug: the first reason was kept, so it went on trying for 15 s and said that the microphone was unplugged.
  it("does not try again where the system refuses the microphone after it broke off", async () => {
    const { source, tried, clock, open } = rig([breaksOff, fails("NotAllowedError"), fine]);
    await open();
    const frames = source.frames();
    await frames.next();
    await expect(frames.next()).rejects.toMatchObject({ kind: "NotAllowedError" });
    expect([tried, clock.slept]).toEqual([["default", "default"], [500]]);
  });

  it("goes back to the chosen device that came while the other one was being opened", async () => {
    const isPluggedIn = () => {
      devices.list = ["usb"];
    };
    const { source, tried, devices, open } = rig([breaksOff, isPluggedIn, fine], { deviceId: "usb" });
    await open();
    devices.list = ["other"];
    const frames = source.frames();
    for (const device of ["usb", "default", "usb"]) {
      await frames.next();
      expect(tried.at(-1)).toBe(device);
    }
    await source.close();
  });

  it("watches devices only until it is closed", async () => {
    const { source, devices, open } = rig([fine], { deviceId: "usb" });
    await open();
    expect(devices.isWatched).toBe(true);
    await source.close();
    expect(devices.isWatched).toBe(false);
  });
});
