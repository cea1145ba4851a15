import type { ListDevicesResult, StartSessionArguments, SttDevice } from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import { SttError } from "../stt-error.ts";
import type { AudioSource } from "./audio-source.ts";
import type { AudioWindow } from "./audio-window.ts";
import { FileSource } from "./file-source.ts";
import { PortSource } from "./port-source.ts";
import { listPulseDevices } from "./pulse-devices.ts";
import { pulseWatch } from "./pulse-watch.ts";
import { RecorderSource } from "./recorder-source.ts";
import { type DeviceWatch, RecoveringSource, type WantedDevice } from "./recovering-source.ts";

/** What this process can listen to. */
export interface AudioInputs {
  /** @throws SttError when the request makes no sense or the platform cannot do it */
  create(request: StartSessionArguments): AudioSource;
  listDevices(): Promise<ListDevicesResult>;
}

/** Longest that the audio window may take to name the devices. */
const listTimeoutMs = 5000;

/**
 * Inside the app: microphones behind the audio window's port, and the system's sound, too, where no recorder of the
 * system has it.
 */
export function windowInputs(
  window: AudioWindow,
  clock: Clock,
  platform: NodeJS.Platform = process.platform,
): AudioInputs {
  return {
    create(request) {
      const source = request.source === "loopback" && platform !== "linux" ? "loopback" : "microphone";
      if (source === "loopback") checkPath(request);
      return (
        (source === "microphone" ? commonSource(request, clock) : undefined) ??
        new RecoveringSource({
          create: (wanted) => new PortSource(window, { ...wanted, source }, clock),
          wanted: source === "loopback" ? {} : wantedDevice(request),
          devices: source === "loopback" ? null : windowWatch(window, platform),
          clock,
        })
      );
    },
    async listDevices() {
      const signal = AbortSignal.timeout(listTimeoutMs);
      try {
        const port = await window.port(signal);
        return { sources, capture: await port.list(signal) };
      } catch {
        return {
          sources,
          warning: "The audio window does not answer. Start listening once, then try again.",
        };
      }
    },
  };
}

/** As a program of its own: microphones through the system's recorder. */
export function recorderInputs(clock: Clock): AudioInputs {
  return {
    create: (request) =>
      commonSource(request, clock) ??
      recording("microphone", wantedDevice(request), request.sample_rate, clock),
    listDevices: async () => ({ sources, ...(await listPulseDevices()) }),
  };
}

const sources: ListDevicesResult["sources"] = [
  { id: "microphone", label: "Microphone" },
  { id: "loopback", label: "System sound" },
  { id: "file", label: "WAV file" },
];

/** What is the same everywhere; undefined for a microphone. */
function commonSource(request: StartSessionArguments, clock: Clock): AudioSource | undefined {
  if (request.source === "file") {
    if (request.path === undefined) {
      throw new SttError("invalid_argument", "Source “file” needs `path`: the WAV file to play.");
    }
    return new FileSource(request.path, request.pace, clock);
  }
  checkPath(request);
  if (request.source === "microphone") return undefined;
  if (process.platform !== "linux") {
    throw new SttError(
      "unsupported_platform",
      "As a program of its own the speech server hears the system's sound on Linux only: Windows and macOS give it to an app's window. Use it in Parley, or use the microphone.",
    );
  }
  return recording("loopback", {}, request.sample_rate, clock);
}

function checkPath(request: StartSessionArguments): void {
  if (request.path === undefined) return;
  throw new SttError(
    "invalid_argument",
    "`path` goes with source “file” only. Leave it out, or set the source.",
  );
}

function recording(
  kind: "microphone" | "loopback",
  wanted: WantedDevice,
  rateHz: number,
  clock: Clock,
): AudioSource {
  return new RecoveringSource({
    create: (device) => new RecorderSource({ kind, rateHz, ...device }, clock),
    wanted,
    devices: kind === "loopback" ? null : pulseWatch,
    clock,
  });
}

function windowWatch(window: AudioWindow, platform: NodeJS.Platform): DeviceWatch {
  const list = async () => {
    const signal = AbortSignal.timeout(listTimeoutMs);
    return (await window.port(signal)).list(signal);
  };
  return {
    onChange(listener) {
      const end = window.onDevicesChanged(listener);
      // On Linux the page is told of hardware alone, not of a Bluetooth headset, which is the sound server's.
      const endPulse = platform === "linux" ? pulseWatch.onChange(listener) : () => undefined;
      return () => {
        end();
        endPulse();
      };
    },
    list,
    async default() {
      const [devices, ofPulse] = await Promise.all([
        list(),
        platform === "linux" ? pulseWatch.default() : null,
      ]);
      return devices.find(({ name }) => name === ofPulse?.name) ?? realDefault(devices);
    },
    // Chromium stays with the device that was the default when it was opened, but for PulseAudio, which takes it along.
    defaultMoves: platform === "linux",
  };
}

/** Chromium lists the default as an entry of its own, whose name ends in that of the device: “Default - Headset”. */
function realDefault(devices: readonly SttDevice[]): SttDevice | null {
  const entry = devices.find(({ is_default }) => is_default);
  const real = devices.filter((device) => device !== entry && entry?.name.endsWith(device.name));
  return real.toSorted((one, other) => other.name.length - one.name.length)[0] ?? entry ?? null;
}

function wantedDevice({ mic_device_id, mic_device_name }: StartSessionArguments) {
  // The empty string is how some clients say "the default".
  return { deviceId: mic_device_id || undefined, deviceName: mic_device_name || undefined };
}
