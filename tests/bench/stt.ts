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
import { makeWav } from "../fixtures/audio/make-wav.ts";
import { finalsOf, SttClient } from "../integration/stt/stt-client.ts";
import { wordErrors } from "./word-errors.ts";

// npm run bench -- stt --dir D --refs F [--ends E] [--json]
// How well and how fast recordings are recognised: F holds `name|transcript` lines for D/name.wav. With --ends, a table
// of where speech ends in each clip (name → sample), also how long after that the final comes at real-time pace.
const { values } = parseArgs({
  options: {
    dir: { type: "string", default: "tests/fixtures/audio" },
    refs: { type: "string", default: "tests/fixtures/audio/transcripts.txt" },
    ends: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const sessions = processSessions(recorderInputs(systemClock), systemClock, fetch);
const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
await serveClient(sessions, serverEnd);
const stt = await SttClient.connect(clientEnd);
const clips = readFileSync(values.refs, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [name, transcript] = line.split("|");
    return name && transcript
      ? [{ name: name.trim(), transcript, path: join(values.dir, `${name.trim()}.wav`) }]
      : [];
  });
if (clips.length === 0) throw new Error(`${values.refs} holds no line of the form name|transcript.`);

// The model is loaded once a process, not once a clip: it stays out of the measure.
await stt.transcribe(clips[0]?.path ?? "");

let errors = 0;
let words = 0;
let audioMs = 0;
let spentMs = 0;
for (const { name, transcript, path } of clips) {
  const startedAt = performance.now();
  const events = await stt.transcribe(path);
  spentMs += performance.now() - startedAt;
  audioMs += await durationMs(path);
  const heard = finalsOf(events)
    .map(({ text }) => text)
    .join(" ");
  const wrong = wordErrors(transcript, heard);
  errors += wrong.errors;
  words += wrong.words;
  if (!values.json) console.log(`${name}: ${wrong.errors}/${wrong.words}  ${heard}`);
}
const report = {
  werPercent: round((100 * errors) / words),
  realTimeFactor: round(spentMs / audioMs),
  ...(values.ends === undefined ? {} : { speechEndToFinalMs: await latency(values.ends) }),
};
console.log(JSON.stringify(report));
await stt.close();
process.exit(0);

/** Wall time from a clip's last sample of speech to its last final, both on this machine's clock. */
async function latency(endsFile: string): Promise<{ p50: number; p95: number }> {
  const ends: Record<string, number> = JSON.parse(readFileSync(endsFile, "utf8"));
  const took: number[] = [];
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  for (const { name, path } of clips) {
    const end = ends[name];
    if (end === undefined) continue;
    const padded = join(folder, `${name}.wav`);
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
  rmSync(folder, { recursive: true });
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

async function durationMs(path: string): Promise<number> {
  const wav = await openWav(path);
  let samples = 0;
  for await (const piece of wav.samples()) samples += piece.length;
  await wav.close();
  return (samples * 1000) / wav.sampleRateHz;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
