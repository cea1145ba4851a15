/** Frames that are looked at together: a quarter of a second. */
const windowFrames = 8;
/** An echo comes no later than so many frames (640 ms) after the sound was handed to the loudspeaker. */
const echoFrames = 20;
/** Of so many windows (8 s) it is known how loud an echo is … */
const knownWindows = 250;
/** … from so many on (4 s). */
const minWindows = 125;
/**
 * Before that a voice is at least so loud beside what is played, in dB: nearly as loud. An echo as loud as what is played is below
 * that after the first syllables, so quickly is most of it taken out.
 */
const unknownLeastDb = -6;
/** From so many windows on (0.8 s) it shows that an echo is louder than that all the same. */
const fewWindows = 25;
/** The latest windows (0.8 s) tell nothing of that: somebody may be speaking in them. */
const unknownWindows = 24;
/** Louder than this share of them nearly no echo is. */
const usualShare = 0.9;
/** A voice is so much louder than that, in dB. */
const overEchoDb = 9;
/** Of a window of what is played, in power (−50 dB): softer than this it has no echo. */
const audiblePower = windowFrames * 1e-5;
/** Of a voice where nothing is played, in power (−50 dB). */
const leastPower = windowFrames * 1e-5;

/**
 * Tells from loudness alone whether a microphone hears more than what is left of the echo in it. How much that is, of what is
 * played, is learned while it is played: little where the echo is cancelled well, nearly all of it where it is not. Then
 * hardly anybody is loud enough to be told from it, and what sounds like a word may be the echo of another. Until it is known,
 * a voice has to be nearly as loud as what is played. Pure.
 */
export class LeftEcho {
  readonly #leastDb: number;
  /** The power of the latest frames. */
  #played: number[] = [];
  #window: { heard: number; echo: number }[] = [];
  /** How loud the windows were beside what was played, in dB, the newest last. */
  #shares: number[] = [];

  /** @param leastDb a voice is no softer than this beside what is played */
  constructor(leastDb: number) {
    this.#leastDb = leastDb;
  }

  /** A frame that goes to the loudspeaker. */
  played(samples: Float32Array): void {
    this.#played = [...this.#played.slice(1 - echoFrames), meanSquare(samples)];
  }

  /** @param pcm a frame of the microphone @returns whether somebody may be speaking in it, or in those right before it */
  isNear(pcm: Int16Array): boolean {
    const frame = { heard: meanSquare(pcm) / 0x8000 ** 2, echo: Math.max(0, ...this.#played) };
    this.#window = [...this.#window.slice(1 - windowFrames), frame];
    const heard = this.#window.reduce((sum, one) => sum + one.heard, 0);
    const echo = this.#window.reduce((sum, one) => sum + one.echo, 0);
    if (echo < audiblePower) return heard > leastPower;
    const share = 10 * Math.log10(Math.max(1e-12, heard) / echo);
    this.#shares = [...this.#shares.slice(1 - knownWindows - unknownWindows), share];
    return share >= this.#leastShare();
  }

  /** How loud a voice is beside what is played, in dB. */
  #leastShare(): number {
    const known = this.#shares.slice(0, -unknownWindows).sort((one, other) => one - other);
    const usual = known[Math.floor(usualShare * known.length)] ?? 0;
    const isKnown = known.length >= (usual > unknownLeastDb ? fewWindows : minWindows);
    return isKnown ? Math.max(this.#leastDb, usual + overEchoDb) : unknownLeastDb;
  }
}

function meanSquare(samples: Float32Array | Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample ** 2;
  return sum / samples.length;
}
