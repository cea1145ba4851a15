/** Which words to stop a speech server listens for over a reply. `model`: null where it has none that can. */
export interface StopWords {
  model: string | null;
  listened: readonly string[];
  unknown: readonly string[];
}

/**
 * What of the words to stop is not listened for over a reply, and what to do; null where all are. Pure.
 * @param told null: the server has not said @param server who hears; null for Parley's own
 */
export function stopWordsHint(told: StopWords | null, server: string | null): string | null {
  const anyway = "Said on their own, they still count once they are understood.";
  if (server !== null && !told) {
    return `${server} does not listen for stop words while a reply is spoken. ${anyway}`;
  }
  if (!told) return null;
  if (told.model === null) {
    return `Parley cannot listen for stop words while a reply is spoken: that needs a Vosk model, and there is none. Download Vosk small for your language or for English under Speech models. ${anyway}`;
  }
  if (told.unknown.length === 0) return null;
  const words = told.unknown.map((word) => `“${word}”`).join(", ");
  const instead =
    told.listened.length > 0 ? ` It listens for ${told.listened.map((word) => `“${word}”`).join(", ")}.` : "";
  return `While a reply is spoken, Parley cannot listen for ${words}: the model ${told.model} does not know ${told.unknown.length === 1 ? "it" : "them"}.${instead} You can choose others in voice.stopWords. ${anyway}`;
}
