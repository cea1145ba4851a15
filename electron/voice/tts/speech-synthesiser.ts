/** Made speech: 16-bit mono PCM. */
export interface Speech {
  pcm: Int16Array<ArrayBuffer>;
  sampleRateHz: number;
}

/** A voice that turns a sentence into samples. */
export interface SpeechSynthesiser {
  /**
   * @param rate 1 is the voice's own pace, 2 twice as fast
   * @param speaker which of the voice's speakers, from 0; the first where there is none of that number
   * @throws Error where it cannot speak the text
   */
  synthesise(text: string, rate: number, speaker?: number): Promise<Speech>;
}
