import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { pcmOf } from "../stt/clips.ts";
import { roomNoise, seeded } from "./recordings.ts";

/** The recordings that come with the project. */
export const fixtureFolder = join(import.meta.dirname, "../../fixtures/audio");

/** Where the speaker of a recording may stop to think; all times in milliseconds. */
const places = z.record(
  z.string(),
  z.object({
    /** Rules are chosen on one set and judged on the other. */
    set: z.enum(["tune", "test"]),
    /** The recording, where its name is another one, and which part of it. */
    file: z.string().optional(),
    from: z.number().default(0),
    to: z.number().optional(),
    /** Of the last sound of speech: the last 10 ms whose first difference is not 35 dB below that of the loudest ones. */
    end: z.number(),
    /** Between two words, where the speaker did not stop: a pause is put in. */
    made: z.array(z.number()).default([]),
    /** The speaker's own pauses in mid-sentence. */
    real: z.array(z.tuple([z.number(), z.number()])).default([]),
  }),
);

/** Whether the speaker paused there, as long as that; paused there, and not as long; or did not pause there. */
export type PauseKind = "real" | "stretched" | "made";

export interface Turn {
  name: string;
  source: string;
  set: "tune" | "test";
  /** 16 kHz mono, with silence before and after it. */
  pcm: Int16Array;
  /** In samples. */
  pauses: { from: number; to: number; kind: PauseKind }[];
  /** The sample after the last sound of speech. */
  end: number;
}

/** Milliseconds. */
export interface PauseLengths {
  from: number;
  to: number;
}

const leadMs = 500;
/** The longest silence that any rule waits for, and more. */
const tailMs = 3000;
const fadeSamples = 80;
/** At most so many pauses are put into one turn. */
const maxPauses = 2;

/**
 * Turns of one sentence each with pauses in mid-sentence: every recording as it is where its speaker paused, and then each
 * in turn, `count` in all, with one or two pauses whose lengths are spread evenly. The same at every run.
 * @param folders where the recordings are looked for; those that are nowhere are left out
 */
export async function turnsOf(
  folders: readonly string[],
  count: number,
  lengths: PauseLengths,
): Promise<Turn[]> {
  const random = seeded(29);
  const table = places.parse(JSON.parse(readFileSync(join(import.meta.dirname, "turn-places.json"), "utf8")));
  const speakers: Speaker[] = [];
  for (const [name, { file = name, from, to, ...more }] of Object.entries(table)) {
    const path = folders.map((folder) => join(folder, `${file}.wav`)).find((one) => existsSync(one));
    if (path === undefined) continue;
    const pcm = await pcmOf({ name, source: "", transcript: "", path });
    const samples = Array.from(pcm.subarray(toSamples(from), to && toSamples(to)), (one) => one / 0x8000);
    const near = (ms: number) => quietest(samples, toSamples(ms - from));
    speakers.push({
      name,
      set: more.set,
      samples,
      end: toSamples(more.end - from),
      stops: [
        ...more.made.map((ms) => ({ from: near(ms), to: near(ms), isReal: false })),
        ...more.real.map(([a, b]) => ({ from: toSamples(a - from), to: toSamples(b - from), isReal: true })),
      ].sort((one, other) => one.from - other.from),
    });
  }
  const turns = speakers
    .filter(({ stops }) => stops.some(({ isReal }) => isReal))
    .map((one) => asItIs(one))
    .filter((turn) => isWithin(turn, lengths));
  for (const set of ["tune", "test"] as const) {
    const own = speakers.filter((speaker) => speaker.set === set);
    const pauseMs = spreadOver(2 * count, lengths, random);
    for (let index = 0; index < count && own.length > 0; index++) {
      const speaker = own[index % own.length];
      if (speaker) turns.push(withPauses(speaker, pauseMs, random));
    }
  }
  return turns;
}

function isWithin({ pauses }: Turn, lengths: PauseLengths): boolean {
  const longestMs = Math.max(...pauses.map(({ from, to }) => ((to - from) * 1000) / sampleRateHz));
  return longestMs >= lengths.from && longestMs <= lengths.to;
}

interface Speaker {
  name: string;
  set: Turn["set"];
  samples: number[];
  end: number;
  stops: { from: number; to: number; isReal: boolean }[];
}

function asItIs({ name, set, samples, end, stops }: Speaker): Turn {
  const real = stops.filter(({ isReal }) => isReal);
  const pauses = real.map(({ from, to }) => ({ from, to, kind: "real" as const }));
  return turnOf(name, set, { samples, end }, pauses);
}

function withPauses(
  { name, set, samples, end, stops }: Speaker,
  pauseMs: number[],
  random: () => number,
): Turn {
  const left = [...stops];
  const wanted = 1 + Math.floor(random() * maxPauses);
  while (left.length > wanted) left.splice(Math.floor(random() * left.length), 1);
  const parts: number[][] = [];
  const pauses: Turn["pauses"] = [];
  let at = 0;
  let length = 0;
  for (const stop of left) {
    const ms = pauseMs.splice(Math.floor(random() * pauseMs.length), 1)[0] ?? 0;
    const said = faded(samples.slice(at, stop.from), at > 0, true);
    const pause = roomNoise(toSamples(ms), random);
    const from = length + said.length;
    length = from + pause.length;
    parts.push(said, pause);
    pauses.push({ from, to: length, kind: stop.isReal ? "stretched" : "made" });
    at = stop.to;
  }
  parts.push(faded(samples.slice(at), at > 0, false));
  const whole = parts.flat();
  return turnOf(name, set, { samples: whole, end: end + whole.length - samples.length }, pauses);
}

function turnOf(
  name: string,
  set: Turn["set"],
  speech: { samples: number[]; end: number },
  pauses: Turn["pauses"],
): Turn {
  const random = seeded(31);
  const before = roomNoise(toSamples(leadMs), random);
  const samples = [...before, ...speech.samples, ...roomNoise(toSamples(tailMs), random)];
  const shift = before.length;
  return {
    name,
    source: name.split("_")[0] ?? name,
    set,
    pcm: Int16Array.from(samples, (one) => Math.max(-0x8000, Math.min(0x7fff, Math.round(one * 0x8000)))),
    pauses: pauses.map(({ from, to, kind }) => ({ from: from + shift, to: to + shift, kind })),
    end: shift + speech.end,
  };
}

/** So many lengths, each part of the range as often as another. */
function spreadOver(count: number, { from, to }: PauseLengths, random: () => number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * (index + random())) / count);
}

/** The middle of the quietest 20 ms within 60 ms of a place. */
function quietest(samples: readonly number[], place: number): number {
  const [reach, half] = [toSamples(60), toSamples(10)];
  let best = { at: place, level: Number.POSITIVE_INFINITY };
  for (let at = place - reach; at <= place + reach; at += half / 2) {
    const level = rms(samples.slice(Math.max(0, at - half), at + half));
    if (level < best.level) best = { at, level };
  }
  return best.at;
}

function rms(samples: readonly number[]): number {
  return Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / Math.max(1, samples.length));
}

/** No clicks where it was cut. */
function faded(samples: number[], atStart: boolean, atEnd: boolean): number[] {
  return samples.map((sample, index) => {
    const start = atStart ? Math.min(1, index / fadeSamples) : 1;
    const end = atEnd ? Math.min(1, (samples.length - index) / fadeSamples) : 1;
    return sample * start * end;
  });
}

const toSamples = (ms: number) => Math.round((ms * sampleRateHz) / 1000);
