/** What is being said: `sure` stood the same in the partial before, `unsure` may still change. */
export interface PartialWords {
  utteranceId: string;
  sure: string;
  unsure: string;
}

/**
 * The next partial beside the one before. Words count as sure when they stood at the same place in both; a new
 * utterance starts unsure. `sure + unsure` is always the whole text.
 */
export function nextWords(
  before: PartialWords | null,
  partial: { utteranceId: string; text: string },
): PartialWords {
  const { utteranceId, text } = partial;
  if (before?.utteranceId !== utteranceId) return { utteranceId, sure: "", unsure: text };
  const length = sameWords(before.sure + before.unsure, text);
  return { utteranceId, sure: text.slice(0, length), unsure: text.slice(length) };
}

/** How many characters of `text` are words that `before` has at the same place, blanks in between included. */
function sameWords(before: string, text: string): number {
  const old = before.match(/\S+/g) ?? [];
  let length = 0;
  for (const [index, word] of [...text.matchAll(/\S+/g)].entries()) {
    if (old[index] !== word[0]) break;
    length = word.index + word[0].length;
  }
  return length;
}
