import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { windowInputs } from "../../../electron/stt-server/audio/audio-inputs.ts";
import { AudioWindow } from "../../../electron/stt-server/audio/audio-window.ts";
import { systemClock } from "../../../electron/stt-server/clock.ts";
import { type AudioReply, type AudioRequest, startSessionArguments } from "../../../shared/voice/stt.ts";

/** The audio page's end of the port, which does what the test says. */
const ports: { close(): void }[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function pageBehind(window: AudioWindow) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  window.attach(port2);
  const requests: AudioRequest[] = [];
  const waiting: ((request: AudioRequest) => void)[] = [];
  port1.on("message", (request: AudioRequest) => {
    const wanted = waiting.shift();
    if (wanted) wanted(request);
    else requests.push(request);
  });
  return {
    next: () =>
      new Promise<AudioRequest>((resolve) => {
        const request = requests.shift();
        if (request) resolve(request);
        else waiting.push(resolve);
      }),
    answer: (reply: AudioReply) => port1.postMessage(reply),
  };
}

const request = startSessionArguments.parse({ source: "loopback", mic_device_name: "Headset" });

it.each(["win32", "darwin"] as const)(
  "on %s the computer's sound is asked of the audio page, whatever microphone is chosen",
  async (platform) => {
    const window = new AudioWindow();
    const page = pageBehind(window);
    const source = windowInputs(window, systemClock, platform).create(request);
    const opened = source.open(AbortSignal.timeout(5000));
    const open = await page.next();
    expect(open).toMatchObject({ type: "open", source: "loopback" });
    expect(open).not.toHaveProperty("deviceName");
    if (open.type !== "open") return;
    page.answer({ type: "opened", stream: open.stream, deviceId: "x", deviceName: "System sound" });
    expect(await opened).toEqual({ deviceId: "x", deviceName: "System sound" });
    const pcm = Int16Array.from({ length: 512 }, (_, index) => index);
    page.answer({ type: "frame", stream: open.stream, sampleIndex: 0, pcm });
    for await (const frame of source.frames()) {
      expect(frame).toEqual({ sampleIndex: 0, pcm });
      break;
    }
    const closed = source.close();
    expect(await page.next()).toEqual({ type: "close", stream: open.stream });
    page.answer({ type: "closed", stream: open.stream });
    await closed;
  },
);

it("a refused permission is told with what to do", async () => {
  const window = new AudioWindow();
  const page = pageBehind(window);
  const opened = windowInputs(window, systemClock, "darwin").create(request).open(AbortSignal.timeout(5000));
  const refusal = expect(opened).rejects.toThrow(/Allow it under Screen & System Audio Recording/);
  const open = await page.next();
  if (open.type !== "open") throw new Error("Nothing was opened.");
  page.answer({ type: "failed", stream: open.stream, kind: "NotAllowedError", message: "Permission denied" });
  await refusal;
});

// Chromium names the default by the device that it is, and stays with that one.
it("elsewhere than on Linux the default microphone is opened again where another device is it, and both are named", async () => {
  const window = new AudioWindow();
  const page = pageBehind(window);
  const source = windowInputs(window, systemClock, "win32").create(startSessionArguments.parse({}));
  const told: string[] = [];
  source.onNotice = ({ message }) => told.push(message);
  const names = ["Desk", "Headset"];
  /** Answers what the page is asked until a stream is open. @returns its id */
  const open = async (current: string) => {
    for (let stream = "", isListed = false; ; ) {
      const request = await page.next();
      if (request.type === "list") {
        const capture = [
          { id: "default", name: `Default - ${current}`, is_default: true },
          ...names.map((name) => ({ id: name, name, is_default: false })),
        ];
        page.answer({ type: "devices", request: request.request, capture });
        isListed = true;
      } else if (request.type === "close") page.answer({ type: "closed", stream: request.stream });
      else {
        stream = request.stream;
        page.answer({ type: "opened", stream, deviceId: "default", deviceName: `Default - ${current}` });
      }
      if (stream !== "" && isListed) return stream;
    }
  };
  const opened = source.open(AbortSignal.timeout(5000));
  const pcm = new Int16Array(512);
  const first = await open("Desk");
  expect(await opened).toEqual({ deviceId: "default", deviceName: "Desk" });
  const frames = source.frames()[Symbol.asyncIterator]();
  page.answer({ type: "frame", stream: first, sampleIndex: 0, pcm });
  await frames.next();
  page.answer({ type: "devices_changed" });
  const next = frames.next();
  const second = await open("Headset");
  expect(second).not.toBe(first);
  page.answer({ type: "frame", stream: second, sampleIndex: 0, pcm });
  // What is asked meanwhile, and the end, is answered, too.
  void open("Headset");
  await next;
  expect(told).toEqual(["Now listening with Headset."]);
  await source.close();
});

it("a path makes no sense with it", () => {
  const inputs = windowInputs(new AudioWindow(), systemClock, "win32");
  expect(() => inputs.create({ ...request, path: "/x.wav" })).toThrow(/goes with source “file” only/);
});
