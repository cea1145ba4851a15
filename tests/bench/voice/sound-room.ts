import { frameMs, frameSamples, sampleRateHz } from "../../../shared/voice/stt.ts";
import { seeded } from "./recordings.ts";

/** How a microphone stands to the loudspeaker. */
export interface Room {
  /** Of the echo, of what is played; null: headphones. */
  echoDb: number | null;
  /** The room resounds for so long after the sound itself, falling by 60 dB; 0: not at all. */
  tailMs: number;
  /** Every so often the echo comes some milliseconds sooner or later from then on, as where a computer drops sound; absent: never. */
  slipsEveryMs?: number;
}

/** From the loudspeaker's first sample to the microphone's. */
const delayMs = 70;
/** By so much an echo slips, at most: 30 ms. */
const mostSlipSamples = 480;
/** RMS, 0–1, of the room itself. */
const noiseRms = 0.0005;
/** The first samples of a room's answer are the sound itself; the tail has together so much of its power. */
const tailPower = 0.4;

/** What a microphone hears of a loudspeaker, and of who speaks beside it, frame by frame. */
export class SoundRoom {
  readonly #response: Float64Array;
  /** The first sample of it that is not silence. */
  readonly #from: number;
  readonly #random = seeded(41);
  #played = new Float64Array(0);
  /** The echo is so many samples late, beside what it was at first. */
  #slip = 0;
  #slipsAt: number;
  readonly #slipFrames: number;
  #near: ArrayLike<number> = [];
  #nearAt = 0;

  constructor(room: Room) {
    this.#response = responseOf(room);
    this.#from = this.#response.findIndex((gain) => gain !== 0);
    this.#played = new Float64Array(this.#response.length + frameSamples + mostSlipSamples);
    this.#slipFrames = (room.slipsEveryMs ?? Number.POSITIVE_INFINITY) / frameMs;
    this.#slipsAt = this.#slipFrames;
  }

  /** From the next frame on somebody says this. */
  say(samples: ArrayLike<number>): void {
    this.#near = samples;
    this.#nearAt = 0;
  }

  /** @param played what goes to the loudspeaker, a frame @returns what the microphone hears meanwhile */
  hear(played: Float32Array): Int16Array<ArrayBuffer> {
    this.#played.copyWithin(0, frameSamples);
    this.#played.set(played, this.#played.length - frameSamples);
    this.#slipsAt -= 1;
    if (this.#slipsAt <= 0) {
      this.#slip = Math.floor(this.#random() * mostSlipSamples);
      this.#slipsAt = this.#slipFrames * (0.5 + this.#random());
    }
    const start = this.#played.length - frameSamples - this.#slip;
    return Int16Array.from({ length: frameSamples }, (_, index) => {
      let sample = (this.#random() * 2 - 1) * noiseRms * Math.sqrt(3) + (this.#near[this.#nearAt++] ?? 0);
      for (let tap = this.#from; tap >= 0 && tap < this.#response.length; tap++)
        sample += (this.#response[tap] ?? 0) * (this.#played[start + index - tap] ?? 0);
      return Math.max(-1, Math.min(1, sample)) * 0x7fff;
    });
  }
}

/** The sound itself after the delay, and noise that dies away. */
function responseOf({ echoDb, tailMs }: Room): Float64Array {
  const delay = Math.round((delayMs * sampleRateHz) / 1000);
  const tail = Math.round((tailMs * sampleRateHz) / 1000);
  const response = new Float64Array(delay + 1 + tail);
  if (echoDb === null) return response;
  const random = seeded(31);
  const noise = Float64Array.from(
    { length: tail },
    (_, at) => (random() * 2 - 1) * Math.exp((-6.9 * at) / tail),
  );
  const power = noise.reduce((sum, one) => sum + one * one, 0);
  response[delay] = 1;
  for (const [at, one] of noise.entries()) response[delay + 1 + at] = one * Math.sqrt(tailPower / power);
  const all = response.reduce((sum, one) => sum + one * one, 0);
  return response.map((one) => (one * 10 ** (echoDb / 20)) / Math.sqrt(all));
}
