import { SpeechText } from "../../../shared/voice/speech-text.ts";

/** A whole reply, as it is said. @param markdown as the model wrote it */
export function sentencesOf(markdown: string): string[] {
  const text = new SpeechText();
  return [...text.feed(markdown), ...text.flush()];
}

/** Where to go on after these words. @returns the place of the sentence in which they end */
export function sentenceAfter(sentences: readonly string[], heard: string): number {
  let length = 0;
  for (const [place, sentence] of sentences.entries()) {
    length += sentence.length;
    if (length > heard.length) return place;
    length += 1;
  }
  return 0;
}
