/** Sound is looked at in steps of this many samples at 16 kHz: 16 ms. */
export const stepSamples = 256;
/** Milliseconds. */
export const stepMs = 16;

/** Two steps at a time: fine enough to tell the tones of two voices apart. */
const windowSamples = 2 * stepSamples;
/** What voices are made of, 125–4500 Hz. */
const lowestBin = 4;
const highestBin = 144;
export const bins = highestBin - lowestBin;

const hann = Float64Array.from(
  { length: windowSamples },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / windowSamples),
);
/** So that the bins of a sound in this range add up to its mean square. */
const scale = 2 / (0.375 * windowSamples * windowSamples);

/** How much of each tone there is in a sound, step by step. */
export class Spectrum {
  #before = new Float32Array(stepSamples);

  /** @param samples a step, −1 to 1 @returns the power of each bin, of it and the step before */
  next(samples: Float32Array): Float32Array {
    const re = new Float64Array(windowSamples);
    for (let at = 0; at < stepSamples; at++) {
      re[at] = (this.#before[at] ?? 0) * (hann[at] ?? 0);
      re[at + stepSamples] = (samples[at] ?? 0) * (hann[at + stepSamples] ?? 0);
    }
    this.#before = samples.slice();
    const im = new Float64Array(windowSamples);
    transform(re, im);
    return Float32Array.from({ length: bins }, (_, bin) => {
      const [x = 0, y = 0] = [re[bin + lowestBin], im[bin + lowestBin]];
      return (x * x + y * y) * scale;
    });
  }
}

/** The discrete Fourier transform, in place. */
function transform(re: Float64Array, im: Float64Array): void {
  for (let at = 1, other = 0; at < windowSamples; at++) {
    let bit = windowSamples >> 1;
    for (; other & bit; bit >>= 1) other ^= bit;
    other ^= bit;
    if (at < other) [re[at], re[other]] = [re[other] ?? 0, re[at] ?? 0];
  }
  for (let span = 2; span <= windowSamples; span *= 2) {
    const half = span / 2;
    for (let turn = 0; turn < half; turn++) {
      const angle = (-2 * Math.PI * turn) / span;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let at = turn; at < windowSamples; at += span) {
        const [ar = 0, ai = 0, br = 0, bi = 0] = [re[at], im[at], re[at + half], im[at + half]];
        const [x, y] = [br * cos - bi * sin, br * sin + bi * cos];
        re[at] = ar + x;
        im[at] = ai + y;
        re[at + half] = ar - x;
        im[at + half] = ai - y;
      }
    }
  }
}
