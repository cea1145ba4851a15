import type { KnownWord } from "./known-words.ts";
import { type Way, waysThrough } from "./said-ways.ts";
import { folded, foldedWhole, isCloseTo, isOpposite, isWeighty, wordsOf } from "./word-forms.ts";

/** An utterance, and what was to be expected in it. */
export interface Said {
  text: string;
  /** What else all of it may be. */
  readings: readonly string[];
  /** The user's words, those of the conversation, names of files. */
  known: readonly KnownWord[];
}

/** An answer is not much longer than what was heard: so many times as long, and a few letters more. */
const maxLengthRatio = 1.5;
const slackChars = 16;
/** Words in a row that may stand for others: "Kubernetes" was heard as four. */
const maxSpan = 4;

/**
 * The words of an answer as far as they are what was heard, and nothing else: each stands in a reading at its place, or
 * sounds and looks like what was heard there. Numbers and a "not" come from a reading alone. Pure.
 * @returns the utterance in the spelling of the recogniser, or of the known word; null where the answer says anything else
 */
export function checkedRepair(answer: string, said: Said): string | null {
  const text = answer.normalize("NFC").trim();
  if (/[\p{Cc}\p{Co}\p{Cn}]/u.test(text)) return null;
  if (text.length > said.text.length * maxLengthRatio + slackChars) return null;
  const words = wordsOf(withoutQuotes(text));
  if (words.length === 0) return null;
  const found = new Explanation(words, said).best();
  return found === null || found.length === 0 ? null : found.join(" ");
}

/** Models put their answer in quotation marks. */
const withoutQuotes = (text: string) => text.replace(/^["“'`]+/, "").replace(/["”'`]+$/, "");

/** What explains the rest of an answer, and how much of it the recogniser did not choose itself. */
interface Explained {
  cost: number;
  written: readonly string[];
  next: Explained | null;
}

/** By how much it is the recogniser's own choice: its words before its other guesses, them before what only sounds alike. */
const costs = { first: 0, reading: 1, close: 3 };
const end: Explained = { cost: 0, written: [], next: null };

/** Looks for the way through an utterance that is the answer. */
class Explanation {
  readonly #answer: readonly string[];
  readonly #answerFolded: readonly string[];
  readonly #heard: readonly string[];
  readonly #waysFrom: readonly (readonly Way[])[];
  readonly #known: ReadonlyMap<string, KnownWord>;
  /** By place in the answer and in what was heard. */
  readonly #found = new Map<number, Explained | null>();

  constructor(answer: readonly string[], { text, readings, known }: Said) {
    this.#answer = answer;
    this.#answerFolded = answer.map(folded);
    this.#heard = wordsOf(text);
    const ways = waysThrough(text, readings);
    this.#waysFrom = Array.from({ length: this.#heard.length + 1 }, (_, place) =>
      ways.filter(({ from }) => from === place),
    );
    this.#known = new Map(known.map((word) => [foldedWhole(word.written), word]));
  }

  best(): string[] | null {
    const first = this.#from(0, 0);
    if (first === null) return null;
    const words: string[] = [];
    for (let part: Explained | null = first; part; part = part.next) words.push(...part.written);
    return words;
  }

  #from(place: number, heardPlace: number): Explained | null {
    if (place === this.#answer.length && heardPlace === this.#heard.length) return end;
    const key = place * (this.#heard.length + 1) + heardPlace;
    const before = this.#found.get(key);
    if (before !== undefined) return before;
    let best: Explained | null = null;
    for (const step of this.#steps(place, heardPlace)) {
      const next = this.#from(step.place, step.heardPlace);
      if (next === null) continue;
      const cost = step.cost + next.cost;
      if (best === null || cost < best.cost) best = { cost, written: step.written, next };
    }
    this.#found.set(key, best);
    return best;
  }

  *#steps(place: number, heardPlace: number) {
    for (const { to, words, isFirst } of this.#waysFrom[heardPlace] ?? []) {
      const isSaid = words.every((word, index) => folded(word) === this.#answerFolded[place + index]);
      if (!isSaid) continue;
      const cost = isFirst ? costs.first : costs.reading;
      const written = isFirst ? words : this.#withStops(words, to);
      yield { place: place + words.length, heardPlace: to, cost, written };
    }
    for (let length = 1; length <= maxSpan && place + length <= this.#answer.length; length++) {
      for (let span = 1; span <= maxSpan && heardPlace + span <= this.#heard.length; span++) {
        const written = this.#close(place, length, heardPlace, span);
        if (written === null) continue;
        const to = heardPlace + span;
        yield { place: place + length, heardPlace: to, cost: costs.close * span, written };
      }
    }
  }

  /** @returns how the words of the answer are written, where they sound like those that were heard */
  #close(place: number, length: number, heardPlace: number, span: number): readonly string[] | null {
    const words = this.#answer.slice(place, place + length);
    const heard = this.#heard.slice(heardPlace, heardPlace + span);
    const joined = this.#answerFolded.slice(place, place + length).join("");
    const known = this.#known.get(joined);
    const sound = heard.map(folded).join("");
    if (known?.sounds.includes(sound)) return this.#withStops([known.written], heardPlace + span);
    // A run of words that nobody listed is a sentence of the model's.
    if (known === undefined && (length > 1 || span > 2)) return null;
    if ([...words, ...heard].some(isWeighty)) return null;
    const sounds = known?.sounds ?? [joined];
    if (!sounds.some((one) => isCloseTo(one, sound, known !== undefined))) return null;
    if (isOpposite(joined, sound)) return null;
    const letters = (words[0] ?? "").replaceAll(/[^\p{L}\p{M}'’-]+/gu, "");
    const written = known?.written ?? letters.replaceAll(/^['’-]+|['’-]+$/g, "");
    return written === "" ? null : this.#withStops([written], heardPlace + span);
  }

  /** With the punctuation behind the last word that was heard there. */
  #withStops(words: readonly string[], to: number): readonly string[] {
    const [stops = ""] = /[.,;:!?…]+$/.exec(this.#heard[to - 1] ?? "") ?? [];
    const last = words.at(-1);
    if (stops === "" || last === undefined || /[.,;:!?…]$/.test(last)) return words;
    return words.with(-1, `${last}${stops}`);
  }
}
