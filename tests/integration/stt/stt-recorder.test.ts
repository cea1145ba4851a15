import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  listDevicesResult,
  type SttEvent,
  startSessionResult,
  sttInfo,
  sttTool,
} from "../../../shared/voice/stt.ts";
import { wordErrors } from "../../bench/word-errors.ts";
import { type PrivatePulse, startPrivatePulse } from "./private-pulse.ts";
import { finalsOf, SttClient } from "./stt-client.ts";
import { connectStdio, stdioTransport } from "./stt-program.ts";

const run = promisify(execFile);
const clip = resolve(import.meta.dirname, "../../fixtures/audio/librivox_0880.wav");
const transcript = "he was not an ill disposed young man";

let pulse: PrivatePulse;
/** What to end, latest first, however far the set-up came. */
const owned: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  pulse = await startPrivatePulse();
  owned.unshift(pulse.dispose);
});
afterAll(async () => {
  for (const end of owned) await end();
});

/** A server on the private sound server, its process id beside it. */
async function withServer<T>(work: (stt: SttClient, pid: number) => Promise<T>): Promise<T> {
  const transport = stdioTransport(pulse.environment);
  const stt = await SttClient.connect(transport);
  try {
    return await work(stt, transport.pid ?? Number.NaN);
  } finally {
    await stt.close();
  }
}

const isOn = (events: SttEvent[]) =>
  events.some((event) => event.type === "info" && event.message === sttInfo.audioStarted);
const isFinal = (events: SttEvent[]) => finalsOf(events).length > 0;

/** Whether such a warning came, and the event that goes with it. */
const isWarned = (words: RegExp) => (events: SttEvent[]) =>
  events.some((event, at) => event.type === "warning" && words.test(event.message) && at < events.length - 1);

async function pactl(...args: string[]): Promise<string> {
  return (await run("pactl", args, { env: pulse.environment })).stdout;
}

/** Plays the clip and reads until one more utterance is there. */
async function playUntil(stt: SttClient, sessionId: string, before: SttEvent[]) {
  const count = finalsOf(before).length;
  const playing = pulse.play(clip, "mic_src");
  const heard = await stt.read(sessionId, (events) => finalsOf(events).length > count, before);
  await playing;
  return heard;
}

/** Process ids of the recorders that `parent` started. */
async function recordersOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(join("/proc", entry, "stat"), "utf8").catch(() => "");
    const [, name, rest] = /^\d+ \((.*)\) . (\d+)/s.exec(stat) ?? [];
    if (name === "parec" && Number(rest) === parent) found.push(Number(entry));
  }
  return found;
}

describe.runIf(process.platform === "linux")("the system's recorder as a source", () => {
  it("hears on loopback what is played, and ends the recorder when stopped", async () => {
    await withServer(async (stt, pid) => {
      const sessionId = await stt.start({ source: "loopback" });
      const { events: before } = await stt.read(sessionId, isOn);
      expect(await recordersOf(pid)).toHaveLength(1);
      const playing = pulse.play(clip, "speaker");
      const { events, status } = await stt.read(sessionId, isFinal, before);
      await playing;
      expect(status).toBe("running");
      expect(wordErrors(transcript, finalsOf(events)[0]?.text ?? "").errors).toBeLessThan(4);
      expect(await stt.stop(sessionId)).toMatchObject({ status: "stopped", error_count: 0 });
      expect(await recordersOf(pid)).toEqual([]);
    });
  });

  it("hears a microphone that is chosen by a part of its name, at another rate", async () => {
    await withServer(async (stt) => {
      const devices = listDevicesResult.parse(await stt.call(sttTool.listDevices));
      expect(devices.capture).toEqual([{ id: "mic", name: "Headset", is_default: true }]);
      expect(devices.render?.map(({ id, is_default }) => [id, is_default])).toEqual([
        ["speaker", true],
        ["mic_src", false],
      ]);
      const request = { source: "microphone", mic_device_name: "headset", sample_rate: 44_100 };
      const started = startSessionResult.parse(await stt.call(sttTool.startSession, request));
      expect(started).toMatchObject({ mic_device_id: "mic", mic_device_name: "Headset" });
      const { events: before } = await stt.read(started.session_id, isOn);
      const playing = pulse.play(clip, "mic_src");
      const { events } = await stt.read(started.session_id, isFinal, before);
      await playing;
      expect(wordErrors(transcript, finalsOf(events)[0]?.text ?? "").errors).toBeLessThan(4);
      await expect(stt.start({ source: "microphone", mic_device_name: "banjo" })).rejects.toThrow(
        /banjo.*“Headset”/,
      );
    });
  });

  it("starts the recorder again when it dies, says so, and hears on", async () => {
    await withServer(async (stt, pid) => {
      const sessionId = await stt.start({ source: "loopback" });
      const { events: before } = await stt.read(sessionId, isOn);
      const [recorder = Number.NaN] = await recordersOf(pid);
      process.kill(recorder, "SIGKILL");
      const { events: told } = await stt.read(sessionId, isWarned(/is back/), before);
      const playing = pulse.play(clip, "speaker");
      const { events } = await stt.read(sessionId, isFinal, told);
      await playing;
      expect(wordErrors(transcript, finalsOf(events)[0]?.text ?? "").errors).toBeLessThan(4);
      expect(await stt.stop(sessionId)).toMatchObject({ status: "stopped", error_count: 0 });
      expect(await recordersOf(pid)).toEqual([]);
    });
  });

  it("fails with a clear error when the sound server is gone for good", async () => {
    const own = await startPrivatePulse();
    const stt = await connectStdio(own.environment);
    try {
      const sessionId = await stt.start({ source: "loopback" });
      const { events: before } = await stt.read(sessionId, isOn);
      await own.dispose();
      const { events, status } = await stt.read(sessionId, undefined, before);
      expect(status).toBe("failed");
      expect(events.at(-1)).toMatchObject({ type: "error", kind: "recorder_ended", fatal: true });
      expect(events.at(-1)).toHaveProperty("message", expect.stringMatching(/system's sound.*parec/));
    } finally {
      await stt.close();
      await own.dispose();
    }
  });

  const changes = (events: readonly SttEvent[]) =>
    events.flatMap((event) =>
      event.type === "info" && event.message === sttInfo.deviceChanged ? [event] : [],
    );
  /** A word about silence may come before it. */
  const isChanged = (toFallback: boolean) => (events: SttEvent[]) => {
    const payload = changes(events).at(-1)?.payload;
    return (
      typeof payload === "object" &&
      payload !== null &&
      "fallback" in payload &&
      payload.fallback === toFallback
    );
  };
  const lastChange = (events: readonly SttEvent[]) => changes(events).at(-1);

  it("goes over to the default when the device is unplugged, and back when it is there again", async () => {
    const plugIn = async () =>
      (
        await pactl(
          "load-module",
          "module-remap-source",
          "master=mic_src.monitor",
          "source_name=usb",
          "source_properties=device.description=Usb",
        )
      ).trim();
    const plugged = await plugIn();
    await withServer(async (stt, pid) => {
      const request = { source: "microphone", mic_device_name: "usb" };
      const started = startSessionResult.parse(await stt.call(sttTool.startSession, request));
      expect(started).toMatchObject({ mic_device_id: "usb", mic_device_name: "Usb" });
      const id = started.session_id;
      const { events: on } = await stt.read(id, isOn);
      await pactl("unload-module", plugged);
      const { events: gone } = await stt.read(id, isChanged(true), on);
      expect(gone.some(({ type }) => type === "warning")).toBe(true);
      expect(lastChange(gone)).toMatchObject({
        type: "info",
        message: sttInfo.deviceChanged,
        payload: { fallback: true },
      });
      const playing = pulse.play(clip, "mic_src");
      const { events: heard } = await stt.read(id, isFinal, gone);
      await playing;
      expect(wordErrors(transcript, finalsOf(heard)[0]?.text ?? "").errors).toBeLessThan(4);
      const again = await plugIn();
      const { events: back } = await stt.read(id, isChanged(false), heard);
      expect(lastChange(back)).toMatchObject({ payload: { device_id: "usb", fallback: false } });
      const { events } = await playUntil(stt, id, back);
      expect(finalsOf(events).length).toBeGreaterThan(1);
      expect(await stt.stop(id)).toMatchObject({ status: "stopped", error_count: 0 });
      expect(await recordersOf(pid)).toEqual([]);
      await pactl("unload-module", again);
    });
  });

  const isTold =
    (message: string, payload = {}) =>
    (events: SttEvent[]) =>
      events.some((event) => {
        const told = event.type === "info" && event.message === message ? event.payload : undefined;
        return JSON.stringify(told) === JSON.stringify(payload);
      });

  it("tells that the system has muted the microphone, and that it is heard again", async () => {
    await pulse.mute("mic", true);
    await withServer(async (stt) => {
      const id = await stt.start({ source: "microphone" });
      const { events: silent } = await stt.read(id, isTold(sttInfo.noSound, { system_muted: true }));
      await pulse.mute("mic", false);
      const { events } = await playUntil(stt, id, silent);
      expect(events.some((event) => event.type === "info" && event.message === sttInfo.sound)).toBe(true);
      expect(finalsOf(events)).toHaveLength(1);
      await stt.stop(id);
    });
  });

  it("names the default microphone, and tells where another one becomes it", async () => {
    const unplug = await pulse.plugIn("Desk");
    await withServer(async (stt) => {
      const started = startSessionResult.parse(
        await stt.call(sttTool.startSession, { source: "microphone" }),
      );
      expect(started).toMatchObject({ mic_device_name: "Headset" });
      const id = started.session_id;
      const { events: on } = await stt.read(id, isOn);
      await pulse.setDefault("desk");
      const { events: moved } = await stt.read(id, isWarned(/^Now listening with Desk\.$/), on);
      expect(lastChange(moved)).toMatchObject({
        payload: { device_id: "desk", device_name: "Desk", fallback: false },
      });
      await unplug();
      const { events } = await stt.read(id, isWarned(/^Now listening with Headset\.$/), moved);
      expect(events.some(({ type }) => type === "error")).toBe(false);
      await stt.stop(id);
    });
    await pulse.setDefault("mic");
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "leaves no recorder behind when the server gets %s",
    async (signal) => {
      await withServer(async (stt, pid) => {
        const sessionId = await stt.start({ source: "loopback" });
        await stt.read(sessionId, isOn);
        const [recorder] = await recordersOf(pid);
        expect(recorder).toBeGreaterThan(0);
        process.kill(pid, signal);
        // Ends when the recorder is gone; hangs, and fails by its time limit, when it stays.
        await run("tail", ["-s", "0.1", `--pid=${recorder}`, "-f", "/dev/null"], { timeout: 60_000 });
      });
    },
  );

  it("names the package to install where there is no recorder, and refuses without a sound server", async () => {
    const bare = await connectStdio({ ...pulse.environment, PATH: "/nowhere" });
    await expect(bare.start({ source: "loopback" })).rejects.toThrow(/Install the package pulseaudio-utils/);
    expect(await bare.call(sttTool.listDevices)).toHaveProperty(
      "warning",
      expect.stringContaining("pulseaudio-utils"),
    );
    await bare.close();
    const silent = await connectStdio({
      ...pulse.environment,
      PULSE_SERVER: "unix:/nowhere",
    });
    await expect(silent.start({ source: "microphone" })).rejects.toThrow(/PulseAudio or PipeWire runs/);
    await silent.close();
  });
});
