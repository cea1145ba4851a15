import { asSpoken } from "../../../shared/voice/as-spoken.ts";
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

/**
 * What is said of a reply before the sentence at a place in the page. What is said in other words than it stands there, such as
 * code, belongs to the sentence after it. Pure.
 * @param before the text in the page up to the place @param after the rest of it
 */
export function spokenBefore(sentences: readonly string[], before: string, after: string): string {
  const page = asSpoken(before + after);
  const place = asSpoken(before).length;
  let end = 0;
  const at = sentences.findIndex((sentence) => {
    // The page's text has no numbers of a list.
    const forms = [sentence, sentence.replace(/^\d+: /, "")].map(asSpoken);
    const words = forms.find((one) => page.includes(one, end));
    if (words === undefined) return false;
    const found = page.indexOf(words, end);
    end = found + words.length;
    return end > place;
  });
  return sentences.slice(0, Math.max(0, at)).join(" ");
}
