/**
 * How long a silence ends an utterance that reads `text` so far (lower case, no punctuation). A sentence that
 * plainly goes on ("open the file and …") gets more time, a whole short answer ("yes please") needs less.
 * @returns milliseconds, never more than `utteranceEndMs`
 */
export function requiredSilenceMs(text: string, limits: SilenceLimits): number {
  return Math.min(limits.utteranceEndMs, limits.endpointingMs * scaleFor(text));
}

export interface SilenceLimits {
  endpointingMs: number;
  utteranceEndMs: number;
}

const openScale = 1.8;
const completeScale = 0.7;

function scaleFor(text: string): number {
  const phrase = text.trim();
  if (completePhrases.has(phrase)) return completeScale;
  const last = phrase.slice(phrase.lastIndexOf(" ") + 1);
  return openEndings.has(last) ? openScale : 1;
}

/**
 * Words that hardly any English sentence ends with: more is on its way. Not "is", "was", "from" and the like, which
 * end questions and clauses ("more than he was", "where is it from").
 */
const openEndings = new Set(
  (
    "a an the and or but nor because although unless whether if than whose " +
    "of to into onto between during without my your our their its very um uh er erm hmm"
  ).split(" "),
);

/** Whole utterances that are finished when they are said. */
const completePhrases = new Set([
  "yes",
  "no",
  "yeah",
  "okay",
  "stop",
  "cancel",
  "yes please",
  "no thanks",
  "no thank you",
  "thanks",
  "thank you",
  "never mind",
  "go on",
  "go ahead",
  "stop listening",
]);
