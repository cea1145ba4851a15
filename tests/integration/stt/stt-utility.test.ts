import { createRequire } from "node:module";
import { resolve } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  listDevicesResult,
  type SttEvent,
  type SttLevel,
  startSessionResult,
  sttInfo,
  sttLevel,
  sttTool,
} from "../../../shared/voice/stt.ts";
import { wordErrors } from "../../bench/word-errors.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { privateDisplay } from "./private-display.ts";
import { finalsOf, SttClient } from "./stt-client.ts";

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const clip = (name: string) => resolve(fixtures, `audio/librivox_${name}.wav`);

let screen: Awaited<ReturnType<typeof privateDisplay>>;
let stt: SttClient;
/** What to end, latest first, however far the set-up came. */
const owned: (() => Promise<unknown>)[] = [];
const levels: SttLevel[] = [];

/** The speech-to-text process where the app runs it: an Electron utility process, its ports bridged to this test. */
async function connectUtility(): Promise<SttClient> {
  const electron: unknown = createRequire(import.meta.url)("electron");
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const env = Object.fromEntries(
    Object.entries({ ...process.env, DISPLAY: screen.display }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const transport = new StdioClientTransport({
    command: String(electron),
    args: [...asRoot, resolve(fixtures, "utility-host"), programPath("stt-utility")],
    env,
    stderr: process.env.STT_HOST_LOG ? "inherit" : "ignore",
  });
  return SttClient.connect(transport);
}

beforeAll(async () => {
  screen = await privateDisplay();
  owned.unshift(screen.dispose);
  stt = await connectUtility();
  owned.unshift(() => stt.close());
  stt.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const level = sttLevel.safeParse(params.data);
    if (level.success) levels.push(level.data);
  });
});
afterAll(async () => {
  for (const end of owned) await end();
});

const tellHost = (action: string) =>
  stt.client.notification({ method: "notifications/host", params: { action } });
const listen = (device: string) => stt.start({ source: "microphone", mic_device_name: device });
const isFinal = (events: SttEvent[]) => finalsOf(events).length > 0;
const hasPartial = (events: SttEvent[]) => events.some(({ type }) => type === "utterance_partial");

describe("the speech-to-text server in a utility process", () => {
  it("lists sources and the window's microphones", async () => {
    const { sources, capture } = listDevicesResult.parse(await stt.call(sttTool.listDevices));
    expect(sources.map(({ id }) => id)).toEqual(["microphone", "loopback", "file"]);
    expect(capture).toEqual([{ id: "default", name: "Recorded microphone", is_default: true }]);
  });

  it("hears the microphone over the window's port, tells its level, and lets go of it when stopped", async () => {
    levels.length = 0;
    const started = startSessionResult.parse(
      await stt.call(sttTool.startSession, { source: "microphone", mic_device_name: clip("0880") }),
    );
    expect(started).toMatchObject({ mic_device_id: "recording", mic_device_name: clip("0880") });
    const { events, status } = await stt.read(started.session_id, isFinal);
    expect(status).toBe("running");
    const [final] = finalsOf(events);
    expect(wordErrors("he was not an ill disposed young man", final?.text ?? "").errors).toBeLessThan(4);
    expect(final?.reason).toBe("endpoint");
    await stt.stop(started.session_id);
    const { events: all, status: ended } = await stt.read(started.session_id);
    expect(ended).toBe("stopped");
    expect(finalsOf(all)).toHaveLength(1);
    expect(levels.length).toBeGreaterThan(10);
    expect(Math.max(...levels.map(({ level }) => level))).toBeGreaterThan(0.02);
    expect(new Set(levels.map(({ sessionId }) => sessionId))).toEqual(new Set([started.session_id]));
  });

  it("tells that the system has muted the microphone, as the window says", async () => {
    const sessionId = await listen("muted");
    const { events } = await stt.read(sessionId, (all) =>
      all.some((event) => event.type === "info" && event.message === sttInfo.noSound),
    );
    expect(events.at(-1)).toMatchObject({ message: sttInfo.noSound, payload: { system_muted: true } });
    await stt.stop(sessionId);
  });

  it.each([
    ["NotFoundError", /Choose another microphone/],
    ["NotAllowedError", /privacy settings/],
    ["NotReadableError", /another program/],
  ])("says what to do about %s", async (kind, words) => {
    await expect(listen(kind)).rejects.toThrow(words);
  });

  it.each([
    ["is unplugged", "unplug"],
    ["went with its window, which was made anew", "replace-window"],
  ])("keeps the last words and goes on with the default when the microphone %s", async (_, action) => {
    const sessionId = await listen(clip("0870"));
    const { events: before } = await stt.read(sessionId, hasPartial);
    await tellHost(action);
    const { events, status } = await stt.read(sessionId, isFinal, before);
    expect(status).toBe("running");
    const told = events.filter((event) => event.type === "warning").map(({ message }) => message);
    expect(told).toEqual([expect.stringMatching(/is gone\. Listening to the default/)]);
    const changed = events.filter(
      (event) => event.type === "info" && event.message === sttInfo.deviceChanged,
    );
    expect(changed).toMatchObject([{ payload: { device_id: "recording", fallback: true } }]);
    expect(await stt.stop(sessionId)).toMatchObject({ status: "stopped", error_count: 0 });
    await stt.stop(await listen(clip("0880")));
  });
});
