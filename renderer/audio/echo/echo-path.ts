import { bins, stepMs } from "./spectrum.ts";

/** A step of sound: when it ended, in milliseconds, and how much there is of each tone. */
export interface SoundStep {
  at: number;
  power: Float32Array;
}

interface PlayedStep extends SoundStep {
  /** The power of each band. */
  bands: Float32Array;
}

/** An echo comes no later than so many steps (512 ms) after the sound was handed to the loudspeaker. */
const maxLagSteps = 32;
/** Steps that an echo may be off its time: sound comes and goes in bursts. */
const jitterSteps = 2;
/** The gain is learned for so many bins at a time. */
const bandBins = 14;
const bands = bins / bandBins;
/** What a tone leaks into those beside it, into its band and everywhere, as shares: rooms and windows blur. */
const leaks = { beside: 0.3, band: 0.01, all: 0.001 };
/** Of a band: softer than this nothing is learned from it. */
const audiblePower = 2e-5;
/** How fast a gain follows (in nepers of power a step), and the quantile of what was heard that it follows. */
const follow = { rate: 0.1, quantile: 0.6 };
/** Steps of sound that have to be heard before anything is known: about a second. */
const knownSteps = 60;
/** Steps that are kept of what was played. */
const keptSteps = 90;

/** Where more than this share of a sound is not three times what an echo would be, it is none. */
const unlike = { share: 0.2, times: 3 };

/**
 * The way from the loudspeaker into the microphone: how late an echo comes, and how loud it is, tone by tone. It is
 * learned while something is played; nothing is subtracted, it only tells what may be an echo. Pure.
 */
export class EchoPath {
  #played: PlayedStep[] = [];
  /** How well what is heard goes along with what was played so many steps before. */
  readonly #match = new Float64Array(maxLagSteps);
  readonly #usual = { heard: new Float64Array(bands), played: new Float64Array(bands) };
  /** Natural logarithm of the gain of each band, in power. */
  readonly #gain = new Float64Array(bands).fill(-8);
  #learned = 0;

  get isKnown(): boolean {
    return this.#learned >= knownSteps;
  }

  played({ at, power }: SoundStep): void {
    const wide = blurred(power);
    this.#played.push({ at, power: wide, bands: byBand(wide) });
    if (this.#played.length > keptSteps) this.#played.shift();
  }

  /** @returns what the microphone may hear now of what was played; null where nothing was */
  expected({ at, power }: SoundStep, isNear: boolean): Float32Array | null {
    const before: PlayedStep[][] = Array.from({ length: maxLagSteps }, () => []);
    for (const played of this.#played) before[Math.round((at - played.at) / stepMs)]?.push(played);
    if (!before.some((steps) => steps.some(({ bands }) => bands.some((value) => value > 1e-8)))) return null;
    const heard = byBand(power);
    const lag = this.#lag(heard, before);
    const echo = loudest(before.slice(Math.max(0, lag - jitterSteps), lag + jitterSteps + 1).flat());
    this.#learn(heard, byBand(echo), isNear);
    return echo.map((value, bin) => value * Math.exp(this.#gain[Math.floor(bin / bandBins)] ?? 0));
  }

  /**
   * Whether these steps may be an echo that comes at another time, or is louder, than those before: a device was changed,
   * the volume, or sound was lost on its way.
   */
  explains(steps: readonly SoundStep[]): boolean {
    const total = steps.reduce((all, { power }) => all + sum(power), 0);
    for (let lag = 0; lag < maxLagSteps + jitterSteps; lag++) {
      const echoes = steps.map(({ at }) =>
        loudest(this.#played.filter((played) => Math.abs((at - played.at) / stepMs - lag) <= 1.5)),
      );
      const echo = echoes.reduce((all, one) => all + sum(one), 0);
      const most = (unlike.times * total) / Math.max(1e-12, echo);
      let rest = 0;
      for (const [index, one] of echoes.entries()) {
        const power = steps[index]?.power;
        for (let bin = 0; bin < bins; bin++)
          rest += Math.max(0, (power?.[bin] ?? 0) - most * (one[bin] ?? 0));
      }
      if (rest < unlike.share * total) return true;
    }
    return false;
  }

  /** @returns after how many steps an echo comes, as far as is known */
  #lag(heard: Float32Array, before: PlayedStep[][]): number {
    const { heard: usualHeard, played: usualPlayed } = this.#usual;
    for (let band = 0; band < bands; band++) {
      const [now = 0, then = 0] = [Math.sqrt(heard[band] ?? 0), Math.sqrt(before[0]?.[0]?.bands[band] ?? 0)];
      usualHeard[band] = (usualHeard[band] ?? 0) + 0.02 * (now - (usualHeard[band] ?? 0));
      usualPlayed[band] = (usualPlayed[band] ?? 0) + 0.02 * (then - (usualPlayed[band] ?? 0));
    }
    let best = 0;
    for (let lag = 0; lag < maxLagSteps; lag++) {
      let alike = 0;
      for (let band = 0; band < bands; band++) {
        const played = Math.sqrt(before[lag]?.[0]?.bands[band] ?? 0) - (usualPlayed[band] ?? 0);
        alike += played * (Math.sqrt(heard[band] ?? 0) - (usualHeard[band] ?? 0));
      }
      this.#match[lag] = 0.997 * (this.#match[lag] ?? 0) + alike;
      if ((this.#match[lag] ?? 0) > (this.#match[best] ?? 0)) best = lag;
    }
    return best;
  }

  #learn(heard: Float32Array, echo: Float32Array, isNear: boolean): void {
    // Whoever speaks meanwhile is no echo, though nobody knows for sure.
    const rate = follow.rate * (this.isKnown ? (isNear ? 0.1 : 1) : 3);
    let loud = 0;
    for (let band = 0; band < bands; band++) {
      const [now = 0, played = 0, gain = 0] = [heard[band], echo[band], this.#gain[band]];
      if (played <= audiblePower) continue;
      loud += 1;
      const isMore = Math.log(Math.max(now, 1e-10) / played) > gain;
      this.#gain[band] = gain + rate * (isMore ? follow.quantile : follow.quantile - 1);
    }
    if (loud > 3) this.#learned += 1;
  }
}

/** The most that any of these steps has of each tone. */
function loudest(steps: readonly PlayedStep[]): Float32Array {
  const most = new Float32Array(bins);
  for (const { power } of steps) {
    for (let bin = 0; bin < bins; bin++) most[bin] = Math.max(most[bin] ?? 0, power[bin] ?? 0);
  }
  return most;
}

/** With what of each tone leaks into others. */
function blurred(power: Float32Array): Float32Array {
  const wide = power.map((value, bin) =>
    Math.max(value, leaks.beside * Math.max(power[bin - 1] ?? 0, power[bin + 1] ?? 0)),
  );
  const inBand = byBand(wide);
  const everywhere = (leaks.all * sum(wide)) / bins;
  return wide.map(
    (value, bin) => value + (leaks.band * (inBand[Math.floor(bin / bandBins)] ?? 0)) / bandBins + everywhere,
  );
}

function byBand(power: Float32Array): Float32Array {
  return Float32Array.from({ length: bands }, (_, band) =>
    sum(power.subarray(band * bandBins, (band + 1) * bandBins)),
  );
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at] ?? 0;
  return total;
}
