import { spawn } from "node:child_process";
import { once } from "node:events";
import { type PrivatePulse, startPrivatePulse } from "../../../integration/stt/private-pulse.ts";
import { test as base } from "../test.ts";
import { sampleRateHz } from "./audio.ts";

interface SoundFixtures {
  /** A sound server of the test's own. */
  pulse: PrivatePulse;
  /** For Parley to use it. */
  soundEnv: Record<string, string>;
  record(sink?: "speaker" | "mic_src"): Recording;
}

/** What an output plays, from now on. */
export interface Recording {
  /** Blocks of 50 ms so far, of samples −1…1, 16 kHz. */
  blocks(): number[][];
  /** Loudness (RMS, 0–1) of each block. */
  levels(): number[];
  stop(): Promise<void>;
}

export const test = base.extend<SoundFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  pulse: async ({}, use) => {
    const pulse = await startPrivatePulse();
    await use(pulse);
    await pulse.dispose();
  },
  soundEnv: async ({ pulse }, use) => {
    const { PULSE_SERVER = "", XDG_RUNTIME_DIR = "" } = pulse.environment;
    await use({ PULSE_SERVER, XDG_RUNTIME_DIR });
  },
  record: async ({ pulse }, use) => {
    const running: Recording[] = [];
    await use((sink = "speaker") => {
      const recording = startRecording(pulse, sink);
      running.push(recording);
      return recording;
    });
    await Promise.all(running.map((recording) => recording.stop()));
  },
});

const blockSamples = sampleRateHz / 20;

function startRecording(pulse: PrivatePulse, sink: string): Recording {
  const format = ["--format=s16le", `--rate=${sampleRateHz}`, "--channels=1", "--latency-msec=20", "--raw"];
  const recorder = spawn("parec", ["-d", `${sink}.monitor`, ...format], {
    env: pulse.environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const heard: Buffer[] = [];
  recorder.stdout.on("data", (data: Buffer) => heard.push(data));
  const blocks = () => {
    const pcm = Buffer.concat(heard);
    return Array.from({ length: Math.floor(pcm.length / 2 / blockSamples) }, (_, index) =>
      Array.from(
        { length: blockSamples },
        (_, at) => pcm.readInt16LE((index * blockSamples + at) * 2) / 0x8000,
      ),
    );
  };
  return {
    blocks,
    levels: () => blocks().map(loudness),
    stop: async () => {
      if (recorder.exitCode !== null || recorder.signalCode !== null) return;
      const ended = once(recorder, "exit");
      recorder.kill();
      await ended;
    },
  };
}

const loudness = (samples: number[]) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
