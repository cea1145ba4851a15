/** At most this many times louder: beyond it noise is all that there is. */
const maxGain = 10;
/** Peaks are brought to this share of full scale, where the embedded recogniser hears best: of 224 words 5 more than at twice. */
const targetPeak = 0.3 * 0x7fff;
/** By so much it may rise from frame to frame: unheard, and slow enough that a pause in speech changes little. */
const risePerFrame = 1.01;
/** The same while somebody speaks: the breath after the last word would become loud enough to be taken for speech. */
const riseInSpeech = 1.001;
/** Samples in which a lower gain is reached: a step would be a click. */
const rampSamples = 64;

/**
 * Makes speech as loud as a recogniser expects. It follows the peaks: a loud frame lowers the gain at once, a soft one
 * lets it rise slowly.
 */
export class GainControl {
  #gain = maxGain;

  /** How many times louder the latest frame was made. */
  get gain(): number {
    return this.#gain;
  }

  /** Sets the gain by a frame of sound. @param isSpeech somebody speaks @returns the gain before it */
  follow(pcm: Int16Array, isSpeech = false): number {
    const before = this.#gain;
    const risen = before * (isSpeech ? riseInSpeech : risePerFrame);
    this.#gain = Math.min(maxGain, targetPeak / Math.max(1, peakOf(pcm)), risen);
    return before;
  }

  /** @param from the gain that the frame begins with @returns the frame at the gain that was set last */
  amplified(pcm: Int16Array<ArrayBuffer>, from?: number): Int16Array<ArrayBuffer>;
  amplified(pcm: Int16Array, from?: number): Int16Array;
  amplified(pcm: Int16Array, from = this.#gain): Int16Array {
    const to = this.#gain;
    return pcm.map((sample, index) => {
      const share = Math.min(1, index / rampSamples);
      return clamped(sample * (from + (to - from) * share));
    });
  }

  /** The frame, as loud as is wanted. @param isSpeech somebody speaks */
  apply(pcm: Int16Array, isSpeech = false): Int16Array {
    return this.amplified(pcm, this.follow(pcm, isSpeech));
  }
}

const peakOf = (pcm: Int16Array) => pcm.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
const clamped = (sample: number) => Math.max(-0x8000, Math.min(0x7fff, Math.round(sample)));
