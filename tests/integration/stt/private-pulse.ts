import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { endsWithUs } from "../../fixtures/ends-with-us.ts";

const run = promisify(execFile);

/** A sound server of the test's own, without hardware: outputs `speaker` and `mic_src`, whose sound is the source `mic`. */
export interface PrivatePulse {
  /** For programs that are to use it. */
  environment: NodeJS.ProcessEnv;
  /** Plays a WAV file; resolves when it was played. */
  play(path: string, sink: "speaker" | "mic_src" | "near"): Promise<void>;
  /** From now on the microphone hears the loudspeaker, as in a room. @param volume of what is played, 0–1 */
  echo(volume?: number): Promise<void>;
  /** Adds the output `near`, which reaches the microphone: what is said there can be told from an echo. */
  addNear(): Promise<void>;
  /** Who records at present: an id for each stream. */
  recordings(): Promise<string[]>;
  /** Plugs in one more microphone of this name, with the sound of `mic_src`. @returns what unplugs it */
  plugIn(name: string): Promise<() => Promise<void>>;
  /** Mutes a microphone as the system's settings do, or unmutes it. */
  mute(name: string, isMuted: boolean): Promise<void>;
  /** Makes a microphone the default one. */
  setDefault(name: string): Promise<void>;
  /** Ends the server, and with it every device; a second call changes nothing. */
  dispose(): Promise<void>;
}

export async function startPrivatePulse(): Promise<PrivatePulse> {
  const folder = await mkdtemp(join(tmpdir(), "parley-pulse-"));
  const runtime = join(folder, "run");
  await mkdir(runtime, { mode: 0o700 });
  const socket = join(runtime, "native");
  const environment = {
    ...process.env,
    HOME: folder,
    XDG_RUNTIME_DIR: runtime,
    PULSE_SERVER: `unix:${socket}`,
  };
  const modules = [
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    "module-null-sink sink_name=speaker",
    "module-null-sink sink_name=mic_src",
    "module-remap-source master=mic_src.monitor source_name=mic source_properties=device.description=Headset",
  ];
  // As on a real computer it goes before others, where that is allowed: else it stutters where the computer is busy.
  const server = spawn(
    "nice",
    [
      "-n",
      "-11",
      "pulseaudio",
      "--daemonize=no",
      "--exit-idle-time=-1",
      "-n",
      "--log-level=info",
      "--log-target=stderr",
    ].concat(modules.map((module) => `--load=${module}`)),
    // Two servers on one session bus would quarrel about a name, and the second would give up.
    {
      env: { ...environment, DBUS_SESSION_BUS_ADDRESS: "disabled:" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  endsWithUs(server);
  await started(server.stderr);
  server.stderr.resume();
  await run("pactl", ["set-default-sink", "speaker"], { env: environment });
  await run("pactl", ["set-default-source", "mic"], { env: environment });
  const load = async (...module: string[]) => {
    const { stdout } = await run("pactl", ["load-module", ...module], { env: environment });
    return stdout.trim();
  };
  return {
    environment,
    play: async (path, sink) => {
      await run("paplay", ["-d", sink, path], { env: environment });
    },
    echo: async (volume = 1) => {
      const id = await load("module-loopback", "source=speaker.monitor", "sink=mic_src", "latency_msec=60");
      if (volume === 1) return;
      const { stdout } = await run("pactl", ["list", "sink-inputs"], { env: environment });
      const [stream] = stdout.split("Sink Input #").filter((text) => text.includes(`Owner Module: ${id}\n`));
      // The server's own scale is cubic.
      const linear = String(Math.round(0x10000 * volume ** (1 / 3)));
      await run("pactl", ["set-sink-input-volume", stream?.split("\n")[0] ?? "", linear], {
        env: environment,
      });
    },
    addNear: async () => {
      await load("module-null-sink", "sink_name=near");
      await load("module-loopback", "source=near.monitor", "sink=mic_src", "latency_msec=10");
    },
    recordings: async () => {
      const { stdout } = await run("pactl", ["list", "short", "source-outputs"], { env: environment });
      const streams = stdout.split("\n").map((line) => line.split("\t"));
      // The server's own, such as that of the remapped source, have no client.
      return streams.flatMap(([id, , client]) => (id && client && client !== "-" ? [id] : []));
    },
    plugIn: async (name) => {
      const id = await load(
        "module-remap-source",
        "master=mic_src.monitor",
        `source_name=${name.toLowerCase()}`,
        `source_properties=device.description=${name}`,
      );
      return async () => void (await run("pactl", ["unload-module", id], { env: environment }));
    },
    mute: async (name, isMuted) => {
      await run("pactl", ["set-source-mute", name, isMuted ? "1" : "0"], { env: environment });
    },
    setDefault: async (name) => {
      await run("pactl", ["set-default-source", name], { env: environment });
    },
    async dispose() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the line that says the server is ready. */
async function started(log: Readable): Promise<void> {
  let said = "";
  for await (const data of log.iterator({ destroyOnReturn: false })) {
    said += String(data);
    if (said.includes("Daemon startup complete")) return;
  }
  throw new Error(`PulseAudio did not start: ${said}`);
}
