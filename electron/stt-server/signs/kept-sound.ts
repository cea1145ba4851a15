/** Keeps the sound of an utterance for a second look once it is over; nothing if it gets too long. */
export class KeptSound {
  readonly #maxSamples: number;
  #pieces: Int16Array[] = [];
  #samples = 0;

  constructor(maxSamples: number) {
    this.#maxSamples = maxSamples;
  }

  keep(pcm: Int16Array): void {
    this.#samples += pcm.length;
    if (this.#samples <= this.#maxSamples) this.#pieces.push(pcm);
    else this.#pieces = [];
  }

  /** @returns what was kept since the last call; nothing if it got too long */
  take(): Int16Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#samples = 0;
    return pieces;
  }
}

export function joined(pieces: readonly Int16Array[]): Int16Array {
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    pcm.set(piece, at);
    at += piece.length;
  }
  return pcm;
}
