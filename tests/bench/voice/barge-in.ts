import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { clipSamples, sampleRateHz, silence, writeWav } from "../../e2e/support/machine/audio.ts";
import { type PrivatePulse, startPrivatePulse } from "../../integration/stt/private-pulse.ts";
import { spread } from "../spread.ts";
import { speechIs, startApp, voiceIs } from "./app.ts";
import { traceAudioPage } from "./page-tasks.ts";
import { type Part, percent } from "./part.ts";
import { speechEnds } from "./recordings.ts";
import { ownStops, stopRooms } from "./stop-rooms.ts";

const trials = 20;
/** Fewer: of each only whether it was heard counts. */
const stopTrials = 10;
/** Loudness (RMS) of a step from which on speech begins, over the clips' room noise, or a reply is audible. */
const speechLevel = 0.02;
const audibleLevel = 0.0005;
const stepMs = 5;
/** The longest that is waited for a reply to fall silent. */
const giveUpMs = 6_000;
/** How loud a loudspeaker is in the microphone beside it, of what it plays: −12 dB. */
const echoVolume = 0.25;

/**
 * How long a reply goes on sounding when somebody speaks: the real app with a sound server of its own, a recording
 * played into its microphone while it talks; with headphones, and with a microphone that hears the loudspeaker (`Echo`).
 * From the first sound of speech on its way to the microphone to the last sound in what the output plays, both recorded
 * from the sound server on one clock. A reply that goes on is `Missed`. `stopHeard`: of so many times "stop", said by
 * another voice than Parley's, how many ended the reply, in percent; `stopUnderstood`: as that word, and not as a prompt
 * of other words. `audioPageLongestTask`: of all that the page that hears and plays did meanwhile, how long one thing held it up.
 */
export const bargeIn: Part = async (options) => ({
  ...(await withHeadphones(options.tell)),
  ...(await withLoudspeaker(options.tell)),
  ...(await stopRooms(options)),
  ...(await ownStops(options)),
});

/** Of that only the last: "stop" beside a loudspeaker. */
export const echoStop: Part = async ({ tell }) => {
  const room = await openRoom(tell, echoVolume);
  const longestTask = await traceAudioPage(room.electron);
  const figures = await stopsBesideLoudspeaker(room);
  const audioPageLongestTask = await longestTask();
  await room.close();
  return { ...figures, audioPageLongestTask };
};

async function withHeadphones(tell: (line: string) => void) {
  const room = await openRoom(tell);
  const clips = await room.speakOver(trials, clipOf);
  const stops = await room.speakOver(stopTrials, await stopWords());
  await room.close();
  return {
    bargeInStopMs: spread(clips.took),
    bargeInMissed: clips.missed,
    stopHeard: percent(stops.took.length, stopTrials),
    stopUnderstood: percent(stops.understood, stopTrials),
  };
}

async function withLoudspeaker(tell: (line: string) => void) {
  const room = await openRoom(tell, echoVolume);
  const longestTask = await traceAudioPage(room.electron);
  const clips = await room.speakOver(trials, clipOf);
  const stops = await stopsBesideLoudspeaker(room);
  const audioPageLongestTask = await longestTask();
  await room.close();
  return {
    bargeInStopEchoMs: spread(clips.took),
    bargeInEchoMissed: clips.missed,
    ...stops,
    audioPageLongestTask,
  };
}

async function stopsBesideLoudspeaker(room: Room) {
  const stops = await room.speakOver(stopTrials, await stopWords());
  return {
    stopHeardEcho: percent(stops.took.length, stopTrials),
    stopUnderstoodEcho: percent(stops.understood, stopTrials),
  };
}

type Room = Awaited<ReturnType<typeof openRoom>>;

/** What is said over the reply. */
type Words = (trial: number) => { name: string; samples: number[] };

const clipOf: Words = (trial) => {
  const names = Object.keys(speechEnds);
  const name = names[trial % names.length] ?? "";
  return { name, samples: clipSamples(name) };
};

async function stopWords(): Promise<Words> {
  const voice = await openFlite("rms");
  const said = await Promise.all([0.85, 0.9, 1].map((rate) => voice.synthesise("Stop.", rate)));
  return (trial) => ({
    name: "stop",
    samples: Array.from(said[trial % said.length]?.pcm ?? [], (sample) => sample / 0x8000),
  });
}

/** The app that listens. @param volume of the echo; without it there is none */
async function openRoom(tell: (line: string) => void, volume?: number) {
  const pulse = await startPrivatePulse();
  await pulse.addNear();
  if (volume !== undefined) await pulse.echo(volume);
  const { PULSE_SERVER = "", XDG_RUNTIME_DIR = "" } = pulse.environment;
  const app = await startApp({
    env: { PULSE_SERVER, XDG_RUNTIME_DIR },
    settings: { "voice.speak": "never", "voice.chime": false },
  });
  const listening = app.events.length;
  await app.send("/voice start microphone");
  await app.next(listening, voiceIs("listening"));
  // From the first reply on it is known whether the microphone hears the loudspeaker.
  await app.send("/say This is heard out to its end, and nobody speaks over it.");
  await app.next(listening, speechIs("silent"));
  const speakOver = async (count: number, words: Words) => {
    const took: number[] = [];
    let understood = 0;
    for (let trial = 0; trial < count; trial++) {
      const { name, samples } = words(trial);
      const microphone = record(pulse, "near.monitor");
      const output = record(pulse, "speaker.monitor");
      const from = app.events.length;
      await app.send(`/say ${longText}`);
      await app.next(from, speechIs("speaking"));
      // Before that a reply that was stopped earlier is over, too.
      const speaking = app.events.length;
      await pulse.play(writeWav(silence(400 + 37 * trial), samples, silence(200)), "near");
      const stopped = app.next(speaking, isOver).then(() => true);
      const isStopped = await Promise.race([stopped, sleep(giveUpMs, false)]);
      const [heard, played] = [await microphone.stop(), await output.stop()];
      // What goes on is ended, and all that was said is heard and answered, before the next.
      if (!isStopped) await app.send("/say");
      await stopped;
      // Of a "stop" that only the listener for stop words heard there is no utterance.
      const uttered = app.next(speaking, (event) => (event.type === "voice.utterance" ? true : undefined));
      if (isStopped) await Promise.race([uttered, sleep(giveUpMs)]);
      await sleep(settleMs);
      await app.next(from, isListening(app.events));
      await app.next(from, allAnswered(app.events, from));
      const onsetAt = heard.firstAt(speechLevel);
      const lastAt = played.lastAt(audibleLevel);
      if (onsetAt === null || lastAt === null) throw new Error(`${name}: nothing was heard.`);
      const after = (event: AgentEvent | undefined) => Math.round((event?.at ?? Number.NaN) - onsetAt);
      const seen = app.events.slice(from).filter((event) => event.at > onsetAt);
      const ends = isStopped ? `silent ${Math.round(lastAt - onsetAt)} ms after the first sound` : "MISSED";
      const utterances = seen.flatMap((event) => (event.type === "voice.utterance" ? [event] : []));
      if (utterances.some(({ rule }) => rule === "stop_word")) understood += 1;
      const said = utterances.map(({ text }) => `“${text}”`).join(" ");
      tell(
        `${name}: ${ends}; noticed after ${after(seen.find(voiceIs("hearing")))}, paused after ${after(seen.find(speechIs("paused")))}; heard ${said}`,
      );
      if (isStopped) took.push(lastAt - onsetAt);
    }
    return { took, missed: count - took.length, understood };
  };
  const close = async () => {
    await app.close();
    await pulse.dispose();
  };
  return { speakOver, close, electron: app.parley.app };
}

/** A reply that a stop word ended is kept for "go on". */
const isOver = (event: AgentEvent) => speechIs("silent")(event) ?? speechIs("stopped")(event);

/** What was said last is an utterance by then. */
const settleMs = 1_500;

/** Says when nobody is being heard any more. */
const isListening = (events: readonly AgentEvent[]) => (): true | undefined => {
  const state = events.findLast((event) => event.type === "voice.state");
  return state?.type === "voice.state" && state.state === "listening" ? true : undefined;
};

/** Says when no prompt waits for its answer. */
function allAnswered(events: readonly AgentEvent[], from: number) {
  return (): true | undefined => {
    const count = (type: AgentEvent["type"]) =>
      events.slice(from).filter((event) => event.type === type).length;
    return count("run.ended") >= count("input.queued") ? true : undefined;
  };
}

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
