import { z } from "zod";
import { ipcChannel } from "../../shared/ipc-channel.ts";
import { type AudioReply, type AudioRequest, audioRequest } from "../../shared/voice/stt.ts";
import type { Capture } from "./capture.ts";
import type { CaptureEvents } from "./capture-events.ts";
import { EchoLink } from "./echo-link.ts";
import { openLoopback } from "./loopback.ts";
import { listMicrophones, openMicrophone } from "./microphone.ts";
import { servePlayback } from "./playback.ts";

// The page's CSP forbids eval, which zod would otherwise try for speed.
z.config({ jitless: true });

/**
 * The hidden audio page: does what the STT process asks for over its port (open a device, close it, list them)
 * and sends it the frames. Samples go from here straight to that process, never through main.
 */
function startPage(): void {
  const echo = new EchoLink({
    start: () => new Worker(new URL("./echo/echo-worker.ts", import.meta.url), { type: "module" }),
    report,
    now: () => performance.now(),
  });
  window.addEventListener("message", (event) => {
    const [port] = event.ports;
    if (event.source !== window || !port) return;
    if (event.data === ipcChannel.audioPort) serve(port, echo);
    else if (event.data === ipcChannel.playbackPort) servePlayback(port, echo);
  });
}

function serve(port: MessagePort, echo: EchoLink): void {
  const streams = new Map<string, Capture>();
  /** Streams whose device is still being opened; a close that comes meanwhile takes them out again. */
  const opening = new Set<string>();
  const reply = (message: AudioReply) => port.postMessage(message);

  const open = async (request: Extract<AudioRequest, { type: "open" }>) => {
    const { stream } = request;
    opening.add(stream);
    try {
      const events: CaptureEvents = {
        onFrame: (frame) => reply({ type: "frame", stream, ...frame }),
        onMuted: (isMuted) => reply({ type: "muted", stream, isMuted }),
        onOver: (over) => reply({ type: "over", stream, ...over }),
        onLost: () => {
          streams.delete(stream);
          reply({
            type: "failed",
            stream,
            kind: "device_lost",
            message: "The device was disconnected.",
          });
        },
      };
      const isLoopback = request.source === "loopback";
      const device = await (isLoopback ? openLoopback(events) : openMicrophone(echo, request, events));
      if (!opening.has(stream)) return await device.close();
      streams.set(stream, device);
      const { deviceId, deviceName } = device;
      reply({ type: "opened", stream, deviceId, deviceName });
    } catch (error) {
      reply({ type: "failed", stream, ...describe(error) });
    } finally {
      opening.delete(stream);
    }
  };

  const close = async (stream: string) => {
    opening.delete(stream);
    const device = streams.get(stream);
    streams.delete(stream);
    // Whoever waits for the end of it is answered, however it ends.
    await device?.close().catch(report);
    reply({ type: "closed", stream });
  };

  const microphones = () =>
    listMicrophones().catch((error: unknown) => {
      report(error);
      return [];
    });

  port.onmessage = async ({ data }) => {
    const request = audioRequest.parse(data);
    if (request.type === "open") await open(request);
    else if (request.type === "close") await close(request.stream);
    else reply({ type: "devices", request: request.request, capture: await microphones() });
  };
  const tellDevices = () => {
    echo.devicesChanged();
    reply({ type: "devices_changed" });
  };
  navigator.mediaDevices.addEventListener("devicechange", tellDevices);
  // The STT process is gone: no microphone stays open without a listener.
  port.addEventListener("close", () => {
    navigator.mediaDevices.removeEventListener("devicechange", tellDevices);
    opening.clear();
    for (const device of streams.values()) device.close().catch(report);
    streams.clear();
  });
  port.start();
}

/** A line of the log. */
const report = (problem: unknown) => console.warn(problem);

function describe(error: unknown): { kind: string; message: string } {
  if (error instanceof DOMException) return { kind: error.name, message: error.message };
  return { kind: "Error", message: error instanceof Error ? error.message : String(error) };
}

startPage();
