import type { SoundLog } from "./sound-log.ts";

/** An echo comes no later than so many samples (512 ms) after the sound was handed to the loudspeaker. */
const maxLagSamples = 8192;
/** A tenth of a second of sound tells by itself when it was played, to a part of a sample. */
const blockSamples = 1600;
/** Around what was found for the loudest block the others are looked for so far. */
const searchSamples = 48;
/** Softer blocks (RMS) tell nothing, nor do those that are less like what was played. */
const audibleRms = 0.003;
const minCorrelation = 0.8;
/** Two clocks differ by less. */
const maxDriftRatio = 2e-3;
/** Further off the line than this, in samples, a block was mistaken. */
const maxOffLineSamples = 2;

interface Found {
  /** The middle of the block, and how many samples of the played sound's numbers it is away from there. */
  at: number;
  shift: number;
}

/** Which moment of what was played is heard when: the clocks of two devices never go alike. */
export class EchoTiming {
  readonly #log: SoundLog;
  readonly #shift: (at: number) => number;

  private constructor(log: SoundLog, shift: (at: number) => number) {
    this.#log = log;
    this.#shift = shift;
  }

  /** @param over where in what was heard it is looked for; null: not found */
  static of(played: SoundLog, heard: SoundLog, over: { from: number; to: number }): EchoTiming | null {
    const starts: number[] = [];
    for (let at = over.from; at + blockSamples <= heard.end; at += blockSamples / 2) starts.push(at);
    const power = (at: number) =>
      heard.between(at, at + blockSamples).reduce((sum, one) => sum + one * one, 0);
    const audibles = starts.filter((at) => power(at) > blockSamples * audibleRms ** 2);
    const loudest = audibles
      .filter((at) => at + blockSamples <= over.to)
      .reduce<number | null>((best, at) => (best !== null && power(best) >= power(at) ? best : at), null);
    if (loudest === null) return null;
    const now = Math.round(played.indexAt(heard.timeOf(loudest)));
    const first = nearest(
      played,
      heard.between(loudest, loudest + blockSamples),
      now - maxLagSamples,
      now,
      4,
    );
    if (first === null) return null;
    const coarse = Math.round(first) - loudest;
    const found = audibles.flatMap((at): Found[] => {
      const sound = heard.between(at, at + blockSamples);
      const place = nearest(played, sound, at + coarse - searchSamples, at + coarse + searchSamples);
      return place === null ? [] : [{ at: at + blockSamples / 2, shift: place - at }];
    });
    const shift = line(found);
    return shift && new EchoTiming(played, shift);
  }

  /** @returns what was played, at the moments when it was heard */
  played(from: number, to: number): Float64Array {
    return Float64Array.from({ length: to - from }, (_, index) => {
      const place = from + index + this.#shift(from + index);
      const at = Math.floor(place);
      const part = place - at;
      const log = this.#log;
      return cubic(log.sample(at - 1), log.sample(at), log.sample(at + 1), log.sample(at + 2), part);
    });
  }
}

/** @returns where a sound was played, to a part of a sample; null where nothing between the two places is like it. `every`: of so many samples one is looked at */
function nearest(played: SoundLog, sound: Float64Array, from: number, to: number, every = 1): number | null {
  const window = played.between(from, to + sound.length);
  let power = 0;
  for (let at = 0; at < sound.length; at++) power += (window[at] ?? 0) ** 2;
  const own = Math.sqrt(sound.reduce((sum, one) => sum + one * one, 0));
  const alike = new Float64Array(to - from);
  let best = 0;
  for (let at = 0; at < alike.length; at++) {
    let product = 0;
    for (let index = 0; index < sound.length; index += every)
      product += (sound[index] ?? 0) * (window[at + index] ?? 0);
    alike[at] = (every * product) / (own * Math.sqrt(Math.max(0, power) + 1e-3));
    power += (window[at + sound.length] ?? 0) ** 2 - (window[at] ?? 0) ** 2;
    if ((alike[at] ?? 0) > (alike[best] ?? 0)) best = at;
  }
  const [before = 0, top = 0, after = 0] = alike.subarray(Math.max(0, best - 1), best + 2);
  if (best === 0 || best === alike.length - 1 || top < minCorrelation) return null;
  return from + best + (before - after) / 2 / (before - 2 * top + after);
}

/** The line through most of them, twice looked at; null without any. */
function line(found: Found[], isLast = false): ((at: number) => number) | null {
  const count = found.length;
  if (count === 0) return null;
  const mean = (of: (one: Found) => number) => found.reduce((sum, one) => sum + of(one), 0) / count;
  const [atMean, shiftMean] = [mean(({ at }) => at), mean(({ shift }) => shift)];
  const across = mean(({ at }) => (at - atMean) ** 2);
  const along = mean(({ at, shift }) => (at - atMean) * (shift - shiftMean));
  const slope = count < 3 ? 0 : along / across;
  const drift = Math.abs(slope) > maxDriftRatio ? 0 : slope;
  const shift = (at: number) => shiftMean + drift * (at - atMean);
  if (isLast) return shift;
  return line(
    found.filter((one) => Math.abs(one.shift - shift(one.at)) < maxOffLineSamples),
    true,
  );
}

/** Between the middle two of four samples (Catmull-Rom). */
function cubic(a: number, b: number, c: number, d: number, part: number): number {
  return b + 0.5 * part * (c - a + part * (2 * a - 5 * b + 4 * c - d + part * (3 * (b - c) + d - a)));
}
