import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import type { SttDevice } from "../../../shared/voice/stt.ts";

const run = promisify(execFile);

export interface PulseDevices {
  capture?: SttDevice[];
  render?: SttDevice[];
  warning?: string;
}

const devices = z.array(
  z.object({ name: z.string(), description: z.string().nullish(), monitor_source: z.string().nullish() }),
);

/** The sound server's microphones and outputs, as `pactl` names them (PulseAudio, and PipeWire's stand-in for it). */
export async function listPulseDevices(): Promise<PulseDevices> {
  try {
    const [captures, renders, capture, render] = await Promise.all([
      list("sources"),
      list("sinks"),
      pactl("get-default-source"),
      pactl("get-default-sink"),
    ]);
    // A source that monitors an output is that output's sound, not a microphone.
    const microphones = captures.filter((device) => !device.monitor_source);
    return {
      capture: microphones.map((device) => toDevice(device, capture.trim())),
      render: renders.map((device) => toDevice(device, render.trim())),
    };
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return {
      warning: missing
        ? "The devices cannot be listed: install the package pulseaudio-utils (it has pactl). The default device works without."
        : "The devices cannot be listed: the sound server does not answer. Is PulseAudio or PipeWire running?",
    };
  }
}

/** @param deviceId a source's name; undefined: the default @returns null where the sound server does not say */
export async function isPulseMuted(deviceId = "@DEFAULT_SOURCE@"): Promise<boolean | null> {
  const said = await pactl("get-source-mute", deviceId).catch(() => "");
  const [, answer] = /^Mute: (yes|no)/.exec(said) ?? [];
  return answer === undefined ? null : answer === "yes";
}

async function list(kind: "sources" | "sinks"): Promise<z.infer<typeof devices>> {
  return devices.parse(JSON.parse(await pactl("--format=json", "list", kind)));
}

async function pactl(...args: string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: "C" };
  const { stdout } = await run("pactl", args, { env, timeout: 5000, maxBuffer: 4 * 1024 * 1024 });
  return stdout;
}

function toDevice(device: z.infer<typeof devices>[number], defaultName: string): SttDevice {
  return {
    id: device.name,
    name: device.description ?? device.name,
    is_default: device.name === defaultName,
  };
}
