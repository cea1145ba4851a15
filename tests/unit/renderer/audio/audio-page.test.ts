// @vitest-environment happy-dom
import { once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ipcChannel } from "../../../../shared/ipc-channel.ts";
import type { AudioRequest } from "../../../../shared/voice/stt.ts";

const microphone = vi.hoisted(() => ({ openMicrophone: vi.fn(), listMicrophones: vi.fn() }));
vi.mock("../../../../renderer/audio/microphone.ts", () => microphone);

let port: MessagePort;
beforeEach(async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const devices = new EventTarget();
  vi.stubGlobal("navigator", { mediaDevices: devices });
  await import("../../../../renderer/audio/audio.ts");
  const { port1, port2 } = new MessageChannel();
  port = port1;
  const event = Object.assign(new Event("message"), {
    data: ipcChannel.audioPort,
    ports: [port2],
    source: window,
  });
  window.dispatchEvent(event);
});
afterEach(() => port.close());

async function asked(request: AudioRequest): Promise<unknown> {
  const answered = once(port, "message");
  port.postMessage(request);
  return (await answered)[0];
}

// Bug: nobody was answered, and whoever closed the device waited for ever.
test("a device that cannot be closed in order counts as closed", async () => {
  const close = () => Promise.reject(new Error("The device is busy."));
  microphone.openMicrophone.mockResolvedValue({ deviceId: "a", deviceName: "A", close });
  expect(await asked({ type: "open", stream: "s", source: "microphone" })).toMatchObject({
    type: "opened",
  });
  expect(await asked({ type: "close", stream: "s" })).toEqual({ type: "closed", stream: "s" });
});

test("where devices cannot be listed, none are", async () => {
  microphone.listMicrophones.mockRejectedValue(new Error("Not allowed."));
  expect(await asked({ type: "list", request: 1 })).toEqual({
    type: "devices",
    request: 1,
    capture: [],
  });
});
