import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { recorderInputs } from "../../../electron/stt-server/audio/audio-inputs.ts";
import { systemClock } from "../../../electron/stt-server/clock.ts";
import type { RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { serveClient } from "../../../electron/stt-server/server.ts";
import { processSessions } from "../../../electron/stt-server/session/process-sessions.ts";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { writeWav } from "../../e2e/support/machine/audio.ts";
import { finalsOf, SttClient } from "../../integration/stt/stt-client.ts";
import { embeddedModel } from "../../integration/stt/stt-in-process.ts";
import { type Part, percent } from "./part.ts";
import { type LongRecording, longRecording } from "./recordings.ts";

const utterances = 110;
/** Of them the reference hears so many twice, to tell how sure it is of itself. */
const heardTwice = 30;
/** Audio that the reference is given at a time. */
const pieceSamples = 1536;
/** The same word begins or ends a little elsewhere when it is heard in other company. */
const slackMs = 300;
/** So far may a word's edge lie from the reference's: the recogniser's own steps are 30 ms. */
const edgeMs = 150;
/** Within half of the shortest pause. */
const shiftSamples = 0.15 * sampleRateHz;

interface Heard {
  word: string;
  startMs: number;
  endMs: number;
}

/**
 * Whether voice activity and endpointing cost words: the speech server over one long recording of many utterances,
 * against the same recogniser which hears every one of the same frames, the pauses too.
 *
 * A first word is kept when the server has it at its place, or begins another one there: a word that was cut off, in
 * whole or in part, begins later; one that begins in time and is misheard lost nothing. The last word likewise by its
 * end. `…WordSame` counts equal words alone: the share for the server, and for the reference against itself when it
 * hears the same frames from other places in the pauses on, which is as sure as this recogniser is of its words.
 */
export const words: Part = async ({ tell }) => {
  const recording = longRecording(utterances);
  const [kept, [reference, again]] = await Promise.all([throughServer(recording), twice(recording)]);
  const misses = { first: 0, last: 0, firstSame: 0, lastSame: 0, firstAgain: 0, lastAgain: 0 };
  for (const [index, slot] of recording.slots.entries()) {
    const all = reference[index] ?? [];
    const ends = { first: all[0], last: all.at(-1) };
    const near = kept.filter(
      ({ startMs, endMs }) => endMs > toMs(slot.from) - slackMs && startMs < toMs(slot.to) + slackMs,
    );
    for (const place of ["first", "last"] as const) {
      const wanted = ends[place];
      if (!wanted) throw new Error(`The reference heard nothing of utterance ${index + 1}.`);
      const second = again[index];
      if (second && !second.some((word) => isSame(word, wanted))) misses[`${place}Again`]++;
      if (near.some((word) => isSame(word, wanted))) continue;
      misses[`${place}Same`]++;
      const edge = place === "first" ? "startMs" : "endMs";
      const isInPlace = near.some((word) => Math.abs(word[edge] - wanted[edge]) <= edgeMs);
      if (!isInPlace) misses[place]++;
      const said = near.map(({ word }) => word).join(" ");
      tell(
        `${slot.name}, utterance ${index + 1}: ${place} word “${wanted.word}” ${isInPlace ? "misheard" : "LOST"} in “${said}”`,
      );
    }
  }
  const share = (missed: number, of = recording.slots.length) => percent(of - missed, of);
  return {
    utterances: recording.slots.length,
    firstWordKept: share(misses.first),
    lastWordKept: share(misses.last),
    firstWordSame: { server: share(misses.firstSame), reference: share(misses.firstAgain, again.length) },
    lastWordSame: { server: share(misses.lastSame), reference: share(misses.lastAgain, again.length) },
  };
};

const isSame = (one: Heard, other: Heard) =>
  one.word === other.word && one.startMs < other.endMs + slackMs && one.endMs > other.startMs - slackMs;

async function throughServer({ samples }: LongRecording): Promise<Heard[]> {
  const sessions = processSessions(recorderInputs(systemClock), systemClock, fetch);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await serveClient(sessions, serverEnd);
  const stt = await SttClient.connect(clientEnd);
  const finals = finalsOf(await stt.transcribe(writeWav(samples)));
  await stt.close();
  return finals.flatMap(({ words: heard = [] }) =>
    heard.map(({ word, start_ms, end_ms }) => ({ word, startMs: start_ms, endMs: end_ms })),
  );
}

/** What the recogniser alone hears of each utterance; and again, with every pause cut a little earlier. */
async function twice({ samples, slots }: LongRecording): Promise<[Heard[][], Heard[][]]> {
  const model = await embeddedModel();
  const earlier = slots.map(({ name, from, to }) => ({
    name,
    from: from - shiftSamples,
    to: to - shiftSamples,
  }));
  const both: [Heard[][], Heard[][]] = [
    await ungated(model, { samples, slots }),
    await ungated(model, { samples, slots: earlier.slice(0, heardTwice) }),
  ];
  model.dispose();
  return both;
}

async function ungated(model: RecogniserModel, { samples, slots }: LongRecording): Promise<Heard[][]> {
  const recogniser = model.createRecogniser();
  const heard: Heard[][] = [];
  for (const { from, to } of slots) {
    for (let at = from; at < to; at += pieceSamples) {
      const piece = samples.slice(at, Math.min(to, at + pieceSamples));
      await recogniser.accept(Int16Array.from(piece, toInt16));
    }
    const result = await recogniser.finish();
    heard.push(
      result.words.map(({ word, startMs, endMs }) => ({
        word,
        startMs: toMs(from) + startMs,
        endMs: toMs(from) + endMs,
      })),
    );
  }
  recogniser.dispose();
  return heard;
}

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
const toInt16 = (sample: number) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
