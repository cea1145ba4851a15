import { spawn } from "node:child_process";
import type { AgentEvent } from "../../../shared/events.ts";
import { clipSamples, sampleRateHz, silence, writeWav } from "../../e2e/support/audio.ts";
import { type PrivatePulse, startPrivatePulse } from "../../integration/private-pulse.ts";
import { spread } from "../spread.ts";
import { speechIs, startApp, voiceIs } from "./app.ts";
import type { Part } from "./part.ts";
import { speechEnds } from "./recordings.ts";

const trials = 20;
/** Loudness (RMS) of a step from which on speech begins, over the clips' room noise, or a reply is audible. */
const speechLevel = 0.02;
const audibleLevel = 0.0005;
const stepMs = 5;
/** The longest that is waited for a reply to fall silent. */
const giveUpMs = 5_000;

/**
 * How long a reply goes on sounding when somebody speaks: the real app with a sound server of its own, a recording
 * played into its microphone while it talks. From the first sound of speech in what the microphone's source delivers
 * to the last sound in what the output plays, both recorded from the sound server on one clock.
 */
export const bargeIn: Part = async ({ tell }) => {
  const pulse = await startPrivatePulse();
  const { PULSE_SERVER = "", XDG_RUNTIME_DIR = "" } = pulse.environment;
  const app = await startApp({
    env: { PULSE_SERVER, XDG_RUNTIME_DIR },
    settings: { "voice.speak": "never", "voice.chime": false },
  });
  const listening = app.events.length;
  await app.send("/voice start microphone");
  await app.next(listening, voiceIs("listening"));
  const took: number[] = [];
  const names = Object.keys(speechEnds);
  for (let trial = 0; trial < trials; trial++) {
    const name = names[trial % names.length] ?? "";
    const microphone = record(pulse, "mic");
    const output = record(pulse, "speaker.monitor");
    const from = app.events.length;
    await app.send(`/say ${longText}`);
    await app.next(from, speechIs("speaking"));
    const lead = 400 + 37 * trial;
    await pulse.play(writeWav(silence(lead), clipSamples(name), silence(200)), "mic_src");
    await app.next(from, (event) => (event.type === "voice.utterance" ? event : undefined));
    await app.next(from, speechIs("silent"));
    await app.next(from, (event) => (event.type === "run.ended" ? event : undefined));
    const [heard, played] = [await microphone.stop(), await output.stop()];
    const onsetAt = heard.firstAt(speechLevel);
    const lastAt = played.lastAt(audibleLevel);
    if (onsetAt === null || lastAt === null || lastAt - onsetAt > giveUpMs) {
      throw new Error(`${name}: nothing was heard, or the reply was not stopped.`);
    }
    took.push(lastAt - onsetAt);
    const after = (event: AgentEvent | undefined) => Math.round((event?.at ?? Number.NaN) - onsetAt);
    const seen = app.events.slice(from);
    tell(
      `${name}: silent ${Math.round(lastAt - onsetAt)} ms after the first sound of speech; noticed after ${after(seen.find(voiceIs("hearing")))}, paused after ${after(seen.find(speechIs("paused")))}`,
    );
  }
  await app.close();
  await pulse.dispose();
  return { bargeInStopMs: spread(took) };
};

/** Some half a minute of it. */
const longText = Array.from(
  { length: 12 },
  (_, index) => `This is sentence number ${index + 1}, and it goes on for a while.`,
).join(" ");

/** Records a source from now on. Its clock: what arrives was sounding no later than then. */
function record(pulse: PrivatePulse, source: string) {
  const format = ["--format=s16le", `--rate=${sampleRateHz}`, "--channels=1", "--latency-msec=10", "--raw"];
  const recorder = spawn("parec", ["-d", source, ...format], {
    env: pulse.environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  let zeroAt = Number.POSITIVE_INFINITY;
  recorder.stdout.on("data", (data: Buffer) => {
    pieces.push(data);
    bytes += data.length;
    const now = performance.timeOrigin + performance.now();
    // The promptest delivery of all tells best when the first sample was there.
    zeroAt = Math.min(zeroAt, now - (bytes / 2 / sampleRateHz) * 1000);
  });
  return {
    stop: async () => {
      const ended = new Promise((resolve) => recorder.once("close", resolve));
      recorder.kill();
      await ended;
      const levels = loudness(Buffer.concat(pieces));
      const at = (step: number) => (step < 0 ? null : zeroAt + step * stepMs);
      return {
        firstAt: (level: number) => at(levels.findIndex((rms) => rms > level)),
        lastAt: (level: number) => at(levels.findLastIndex((rms) => rms > level) + 1),
      };
    },
  };
}

/** RMS, 0–1, of each step. */
function loudness(pcm: Buffer): number[] {
  const step = (sampleRateHz * stepMs) / 1000;
  return Array.from({ length: Math.floor(pcm.length / 2 / step) }, (_, index) => {
    let sum = 0;
    for (let at = index * step; at < (index + 1) * step; at++) sum += (pcm.readInt16LE(at * 2) / 0x8000) ** 2;
    return Math.sqrt(sum / step);
  });
}
