/** What an utterance that reads so, so far, wants: plainly more, plainly nothing more, or it does not show. */
export type Phrase = "open" | "complete" | "plain";

export interface SilenceLimits {
  endpointingMs: number;
  utteranceEndMs: number;
}

const scales: Readonly<Record<Phrase, number>> = { open: 1.8, complete: 0.7, plain: 1 };

/** Words that sentences end with so rarely, −ln, want more: a third of all pauses in mid-sentence, a tenth of all ends. */
const openCost = 3;

/**
 * How long a silence ends such an utterance. @returns milliseconds, never more than `utteranceEndMs`
 */
export function requiredSilenceMs(phrase: Phrase, limits: SilenceLimits): number {
  return Math.min(limits.utteranceEndMs, limits.endpointingMs * scales[phrase]);
}

export interface PhraseFacts {
  /** How unlikely it is that a sentence ends so, −ln; null: nobody knows. */
  endCost: number | null;
  /** What is spoken may be English: "an" and "her" want more then, but end many a German sentence. */
  mayBeEnglish: boolean;
}

/**
 * A phrase that plainly goes on ("open the file and …", "four two …") is open, one that plainly is finished ("yes
 * please", "that's all") complete. Words tell that of English, a recogniser's language model of its own language.
 */
export function phraseOf(text: string, { endCost, mayBeEnglish }: PhraseFacts): Phrase {
  const written = text.trim().toLowerCase();
  // Not every recogniser punctuates, and some end whatever they heard with a full stop, which tells nothing.
  if (/[,;:–-]$/.test(written)) return "open";
  const words = written
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .split(" ")
    .filter((word) => word !== "");
  const phrase = words.join(" ");
  if (completePhrases.has(phrase) || written.endsWith("?")) return "complete";
  if (endings.some((ending) => phrase.endsWith(ending))) return "complete";
  if (mayBeEnglish && isOpen(words)) return "open";
  const isRareEnd = endCost !== null && endCost >= openCost;
  return isRareEnd && !(mayBeEnglish && isQuestion(words)) ? "open" : "plain";
}

function isOpen(words: string[]): boolean {
  const last = words.at(-1) ?? "";
  if (openEndings.has(last)) return true;
  if (prepositions.has(last)) return words.length > 1 && !isQuestion(words);
  return isNumberBeingRead(words);
}

const isQuestion = (words: string[]) => questionWords.has(words[0] ?? "");

/**
 * Whether digits are read out one by one: a phone number, a code. One number word alone ("set a timer for five") is
 * no sign of it, unless what was asked for is such a number ("my code is four").
 */
function isNumberBeingRead(words: string[]): boolean {
  const isDigit = (at: number) => digits.has(words.at(at) ?? "") || /^\d$/.test(words.at(at) ?? "");
  if (!isDigit(-1)) return false;
  return isDigit(-2) || words.slice(-4, -1).some((word) => numberNames.has(word));
}

const setOf = (words: string) => new Set(words.split(" "));

/**
 * Words that hardly any English sentence ends with: more is on its way. Not "is", "was" and the like, which end
 * questions and clauses ("more than he was", "I know where it is").
 */
const openEndings = setOf(
  "a an the and or but nor because although unless whether if than whose " +
    "of to into onto between during without my your our their its very um uh er erm hmm",
);

/** They end a question ("who is it for"), but hardly anything else. Not "on", "in", "up": "turn it on". */
const prepositions = setOf("with for from at against among toward towards until");
const questionWords = setOf(
  "what what's who who's which where where's how why when is are was were do does did",
);

const digits = setOf("zero oh one two three four five six seven eight nine double triple");
const numberNames = setOf("number code pin phone extension zip postcode account serial digits");

/** What makes a sentence finished when it is said last. */
const endings = [
  " that is all",
  " that's all",
  " that's it",
  " right now",
  " for me please",
  " thank you very much",
];

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
  "that's all",
  "that is all",
]);
