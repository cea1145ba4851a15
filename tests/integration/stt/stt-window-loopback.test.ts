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

it("a path makes no sense with it", () => {
  const inputs = windowInputs(new AudioWindow(), systemClock, "win32");
  expect(() => inputs.create({ ...request, path: "/x.wav" })).toThrow(/goes with source “file” only/);
});
