/** The discrete Fourier transform of a fixed length, a power of two, in place. */
export class Fourier {
  readonly #size: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #reversed: Uint16Array;

  constructor(size: number) {
    this.#size = size;
    this.#cos = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
    this.#sin = Float64Array.from({ length: size / 2 }, (_, at) => Math.sin((2 * Math.PI * at) / size));
    this.#reversed = new Uint16Array(size);
    for (let at = 1, other = 0; at < size; at++) {
      let bit = size >> 1;
      for (; other & bit; bit >>= 1) other ^= bit;
      other ^= bit;
      this.#reversed[at] = other;
    }
  }

  forward(re: Float64Array, im: Float64Array): void {
    for (let at = 0; at < this.#size; at++) {
      const other = this.#reversed[at] ?? 0;
      if (at >= other) continue;
      [re[at], re[other]] = [re[other] ?? 0, re[at] ?? 0];
      [im[at], im[other]] = [im[other] ?? 0, im[at] ?? 0];
    }
    for (let span = 2; span <= this.#size; span *= 2) this.#combine(re, im, span);
  }

  inverse(re: Float64Array, im: Float64Array): void {
    // With both parts swapped the way back is the way there.
    this.forward(im, re);
    for (let at = 0; at < this.#size; at++) {
      re[at] = (re[at] ?? 0) / this.#size;
      im[at] = (im[at] ?? 0) / this.#size;
    }
  }

  #combine(re: Float64Array, im: Float64Array, span: number): void {
    const half = span / 2;
    const stride = this.#size / span;
    for (let start = 0; start < this.#size; start += span) {
      for (let turn = 0; turn < half; turn++) {
        const [c = 0, s = 0] = [this.#cos[turn * stride], this.#sin[turn * stride]];
        const [one, other] = [start + turn, start + turn + half];
        const [a = 0, b = 0, x = 0, y = 0] = [re[one], im[one], re[other], im[other]];
        const [p, q] = [x * c + y * s, y * c - x * s];
        re[one] = a + p;
        im[one] = b + q;
        re[other] = a - p;
        im[other] = b - q;
      }
    }
  }
}
