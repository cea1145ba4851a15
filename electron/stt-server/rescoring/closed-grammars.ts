import {
  type Recognised,
  type Recogniser,
  type RecogniserModel,
  unknownWord,
} from "../recognisers/recogniser.ts";
import { KeptSound } from "../signs/kept-sound.ts";
import { plainText, plainWord } from "./plain-word.ts";

const listOf = (words: string) => words.split(" ");

const digits = listOf("zero oh one two three four five six seven eight nine");
const numbers = listOf(
  "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand",
);
const ordinals = listOf(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth",
);
const months = listOf(
  "january february march april may june july august september october november december",
);
const days = listOf("monday tuesday wednesday thursday friday saturday sunday");

/** What is said in words of a few: how they are told, and what else is said among them. */
interface Grammar {
  /** Their share of an utterance says that it is one. */
  signs: ReadonlySet<string>;
  words: readonly string[];
}

const grammars: readonly Grammar[] = [
  { signs: new Set([...digits, "double", "triple"]), words: [...digits, "double", "triple"] },
  {
    signs: new Set(listOf("b c d e f g h j k l m n o p q r s t u v w x y z")),
    words: listOf("a b c d e f g h i j k l m n o p q r s t u v w x y z double"),
  },
  {
    signs: new Set([...months, ...days, ...ordinals]),
    words: [...months, ...days, ...ordinals, ...digits, ...numbers, "the", "of", "on"],
  },
  {
    signs: new Set([...digits, ...numbers, "o'clock", "quarter", "half", "past", "noon", "midnight", "pm"]),
    words: [...digits, ...numbers, ...listOf("o'clock quarter half past to at noon midnight am pm")],
  },
];

/** More than so much of an utterance has to be signs of a grammar. */
const minShare = 0.5;
/** What a grammar made of it is taken from this mean confidence on. */
const minConfidence = 0.9;
/** … where it is as sure of each word: one that it does not know becomes the nearest of those that it does. */
const minWordConfidence = 0.75;
/** So far may the edges of the same words lie apart. */
const edgeMs = 150;
/** Longest sound that is looked at again, in samples: numbers that are read out are short. */
const maxSamples = 8 * 16_000;

/**
 * A second look at what mostly is digits, spelled letters, a date or a time: a recogniser that knows nothing else does not
 * take "two" for "to". What it is not sure of stays as it was heard freely.
 */
export class ClosedGrammars {
  readonly #model: RecogniserModel;
  readonly #recognisers = new Map<Grammar, Recogniser | null>();
  readonly #sound = new KeptSound(maxSamples);
  /** What the utterance before was: a number is read out with pauses. */
  #last: Grammar | null = null;

  constructor(model: RecogniserModel) {
    this.#model = model;
  }

  /** Sound of what goes on. */
  keep(pcm: Int16Array): void {
    this.#sound.keep(pcm);
  }

  /** @returns what was said since the last call, where a grammar knows better; null: as it was heard */
  async heard(freely: Recognised): Promise<Recognised | null> {
    const sound = this.#sound.take();
    // Whoever writes numbers in digits writes them better.
    if (/\p{N}/u.test(freely.text)) return null;
    const grammar =
      grammarOf(freely) ??
      grammarOf(freely.secondChoice) ??
      (freely.words.length <= 4 && freely.text !== "" ? this.#last : null);
    this.#last = null;
    if (!grammar || sound.length === 0) return null;
    // Another recogniser heard as clearly that it is one.
    if (freely.secondChoice && freely.words.every(({ word }) => grammar.words.includes(plainWord(word))))
      return null;
    const recogniser = this.#recogniser(grammar);
    if (!recogniser) return null;
    for (const pcm of sound) await recogniser.accept(pcm);
    const heard = await recogniser.finish();
    if (heard.text.includes(unknownWord) || !isLikely(heard) || !isWhole(heard, freely)) return null;
    this.#last = grammar;
    return heard.text === plainText(freely.text) ? null : heard;
  }

  dispose(): void {
    for (const recogniser of this.#recognisers.values()) recogniser?.dispose();
    this.#recognisers.clear();
  }

  /** Made when it is needed first. */
  #recogniser(grammar: Grammar): Recogniser | null {
    const known = this.#recognisers.get(grammar);
    if (known !== undefined) return known;
    const made = this.#make(grammar);
    this.#recognisers.set(grammar, made);
    return made;
  }

  #make({ words }: Grammar): Recogniser | null {
    const known = words.filter((word) => this.#model.knowsWord?.(word));
    return known.length === 0 ? null : (this.#model.createGrammarRecogniser?.(known) ?? null);
  }
}

function grammarOf({ words }: Recognised = { text: "", words: [] }): Grammar | null {
  const plain = words.map(({ word }) => plainWord(word));
  const shares = grammars.map(({ signs }) => plain.filter((word) => signs.has(word)).length / plain.length);
  const most = Math.max(...shares);
  return most > minShare ? (grammars[shares.indexOf(most)] ?? null) : null;
}

const isLikely = ({ words }: Recognised) =>
  words.length > 0 &&
  words.every(({ confidence = 0 }) => confidence >= minWordConfidence) &&
  words.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / words.length >= minConfidence;

/** Whether it begins and ends where the words do that were heard freely: a digit that is left out is worse than a wrong one. */
function isWhole(heard: Recognised, freely: Recognised): boolean {
  const [first, last] = [heard.words[0], heard.words.at(-1)];
  const [freeFirst, freeLast] = [freely.words[0], freely.words.at(-1)];
  if (!first || !last || !freeFirst || !freeLast) return false;
  return first.startMs - freeFirst.startMs <= edgeMs && freeLast.endMs - last.endMs <= edgeMs;
}
