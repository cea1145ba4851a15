import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { recorderInputs } from "../../electron/stt-server/audio/audio-inputs.ts";
import { openWav } from "../../electron/stt-server/audio/wav.ts";
import { systemClock } from "../../electron/stt-server/clock.ts";
import { serveClient } from "../../electron/stt-server/server.ts";
import { processSessions } from "../../electron/stt-server/session/process-sessions.ts";
import { sampleRateHz } from "../../shared/voice/stt.ts";
import { makeWav } from "../fixtures/audio/make-wav.ts";
import { finalsOf, SttClient } from "../integration/stt/stt-client.ts";
import { clipsOf, pcmOf, softer } from "./stt/clips.ts";
import { bestOf, Tally } from "./stt/tally.ts";
import { WholeRecogniser } from "./stt/whole-recogniser.ts";
import { wordErrors } from "./word-errors.ts";
import { longList, manyWords } from "./words/long-list.ts";

// npm run bench -- stt [--dir D --refs F] [--ends E] [--softer DB] [--json]
// How well and how fast recordings are recognised: F holds `name|transcript` lines for D/name.wav. By source (the name up
// to its first `_`) the share of wrong words of the recogniser's first choice of the whole file, of the best of its 5 and
// 20 likeliest readings, of what rescoring chooses of them, and of the pipeline; and each word that the pipeline lost
// though the recogniser heard it in the whole file, with what lost it (told by the pipeline without gain, and gain without the
// pipeline); how long a list of 500 words of the
// user's takes over an utterance. With --softer all sound is so many decibels softer. With --ends, a
// table of where speech ends in each clip (name → sample), also how long after that the final comes at real-time pace.
const { values } = parseArgs({
  options: {
    dir: { type: "string", default: "tests/fixtures/audio" },
    refs: { type: "string", default: "tests/fixtures/audio/transcripts.txt" },
    ends: { type: "string" },
    softer: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  },
});

const sessions = processSessions(recorderInputs(systemClock), systemClock, fetch);
const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
await serveClient(sessions, serverEnd);
const stt = await SttClient.connect(clientEnd);
const clips = clipsOf(values.dir, values.refs);
const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));

// The model is loaded once a process, not once a clip: it stays out of the measure.
await stt.transcribe(clips[0]?.path ?? "");

const whole = await WholeRecogniser.load();
const tally = new Tally();
const rescoringMs: number[] = [];
let audioMs = 0;
let spentMs = 0;
for (const clip of clips) {
  const pcm = softer(await pcmOf(clip), Number(values.softer));
  const path = join(folder, `${clip.name}.wav`);
  writeFileSync(path, makeWav(Array.from(pcm, (sample) => sample / 0x8000)));
  const startedAt = performance.now();
  const events = await stt.transcribe(path);
  spentMs += performance.now() - startedAt;
  audioMs += (pcm.length * 1000) / sampleRateHz;
  const pipeline = finalsOf(events)
    .map(({ text }) => text)
    .join(" ");
  const { first, readings, rescored, words, ways } = await whole.hear(pcm);
  const texts = {
    recogniser: first,
    bestOf5: bestOf([first, ...readings.slice(0, 5)], clip.transcript),
    bestOf20: bestOf([first, ...readings.slice(0, 20)], clip.transcript),
    rescored,
    pipeline,
  };
  await tally.add(clip, texts, finalsOf(events).length, () => whole.parts(pcm));
  rescoringMs.push(ownWordsTime(words, ways));
  const { errors, words: count } = wordErrors(clip.transcript, pipeline);
  if (!values.json) console.log(`${clip.name}: ${errors}/${count}  ${pipeline}`);
}
const report = {
  ...tally.report,
  ownWordsMs: {
    words: manyWords.length,
    median: round(rescoringMs.sort((one, other) => one - other)[rescoringMs.length >> 1] ?? Number.NaN),
    most: round(rescoringMs.at(-1) ?? Number.NaN),
  },
  realTimeFactor: round(spentMs / audioMs),
  ...(values.ends === undefined ? {} : { speechEndToFinalMs: await latency(values.ends) }),
};
console.log(JSON.stringify(report));
rmSync(folder, { recursive: true });
await stt.close();
process.exit(0);

/** How long a list of 500 words takes over an utterance, in milliseconds. */
function ownWordsTime(...heard: Parameters<typeof longList.applied>): number {
  const startedAt = performance.now();
  longList.applied(...heard);
  return performance.now() - startedAt;
}

/** Wall time from a clip's last sample of speech to its last final, both on this machine's clock. */
async function latency(endsFile: string): Promise<{ p50: number; p95: number }> {
  const ends: Record<string, number> = JSON.parse(readFileSync(endsFile, "utf8"));
  const took: number[] = [];
  for (const { name, path } of clips) {
    const end = ends[name];
    if (end === undefined) continue;
    const padded = join(folder, `${name}.padded.wav`);
    writeFileSync(padded, await withSilence(path));
    const sessionId = await stt.start({ source: "file", path: padded, pace: "realtime" });
    const { events } = await stt.read(sessionId);
    const started = events.find((event) => event.type === "info" && event.message === "audio_started");
    const final = finalsOf(events).at(-1);
    if (started?.type !== "info" || !final) continue;
    const { epoch_ms } = epochOf(started.payload);
    took.push(Date.parse(final.timestamp_utc) - (epoch_ms + end / 16));
    if (!values.json) console.log(`${name}: final ${took.at(-1)} ms after the last speech sample`);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95) };
}

function epochOf(payload: unknown): { epoch_ms: number } {
  if (typeof payload === "object" && payload !== null && "epoch_ms" in payload) {
    return { epoch_ms: Number(payload.epoch_ms) };
  }
  throw new Error("The server did not say when the audio started.");
}

/** The clip and two seconds of silence: the clips stop before the silence that ends an utterance is over. */
async function withSilence(path: string): Promise<Buffer> {
  const wav = await openWav(path);
  const samples: number[] = [];
  for await (const piece of wav.samples()) samples.push(...piece);
  await wav.close();
  const silence = new Array<number>(2 * wav.sampleRateHz).fill(0);
  return makeWav([...samples, ...silence], { rateHz: wav.sampleRateHz });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
