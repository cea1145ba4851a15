import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import type { Utterance } from "./voice-events.ts";

/** So many utterances of a session are known again. */
const maxKnown = 300;
/** Better words for the same utterance have at least so many of its words, of the fewer of the two; or so many of its pairs of letters. */
const minCommon = 0.5;
/** Times that begin so early, in milliseconds, may be counted from the beginning of each utterance: they say little. */
const earlyMs = 3000;

type Known = Pick<Utterance, "id" | "text" | "startMs" | "endMs" | "noWords">;

/**
 * The utterances of one session, so that each is heard once, however often a server tells it. A server says with an utterance's id,
 * or with its times and words, that it is the same. Ids and times that it gives to different utterances say nothing.
 */
export class HeardFinals {
  #known: Known[] = [];
  #idsMean = true;
  #timesMean = true;
  /** When somebody began to speak who has not ended; null: nobody, or the server does not say. */
  #onsetMs: number | null = null;

  began(startMs: number): void {
    this.#onsetMs = startMs;
  }

  /** Whether somebody speaks by now who began after this one. */
  isSpokenAfter({ endMs }: Pick<Utterance, "endMs">): boolean {
    return this.#onsetMs !== null && endMs !== null && this.#onsetMs >= endMs;
  }

  /**
   * @param hasId the server has named it
   * @returns it, with what it `corrects` where that is better known now; null: it was heard before
   */
  take(said: Utterance, hasId: boolean): Utterance | null {
    const before = this.#before(said, hasId);
    if (before && isSameText(before, said)) return null;
    const isSaidOver = this.isSpokenAfter(said);
    if (!isSaidOver) this.#onsetMs = null;
    const { id, text, startMs, endMs, noWords } = said;
    const known = { id, text, startMs, endMs, noWords };
    this.#known = [...this.#known.filter((one) => one !== before), known].slice(-maxKnown);
    return before ? { ...said, corrects: before.text, isSaidOver } : said;
  }

  #before(said: Utterance, hasId: boolean): Known | undefined {
    // What comes in place of words may be followed by the words, and is no other utterance for that.
    const known = this.#known.filter(({ noWords }) => Boolean(noWords) === Boolean(said.noWords));
    const named = hasId && this.#idsMean ? known.findLast(({ id }) => id === said.id) : undefined;
    if (named && isSame(named, said)) return named;
    if (named && !said.noWords) this.#idsMean = false;
    // Every utterance begins at 0 where a server counts from its beginning.
    const timed = hasTimes(said) && said.startMs !== 0 ? known.filter((one) => hasSameTimes(one, said)) : [];
    const isAnother = (one: Known) => !isSameText(one, said) && one.id !== said.id;
    if (!said.noWords && timed.some(isAnother)) this.#timesMean = false;
    return this.#timesMean ? timed.find((one) => isSameText(one, said)) : undefined;
  }
}

const isSameText = (one: Pick<Known, "text">, other: Pick<Known, "text">) =>
  one.text === other.text || (asSpoken(one.text) !== "" && asSpoken(one.text) === asSpoken(other.text));

const hasTimes = ({ startMs, endMs }: Known) => startMs !== null && endMs !== null && endMs > startMs;
const hasSameTimes = (one: Known, other: Known) => one.startMs === other.startMs && one.endMs === other.endMs;

/** Whether two finals with the same id can be the same utterance: said at the same time, or else in much the same words. */
function isSame(one: Known, other: Known): boolean {
  const isAlike = () => isSameText(one, other) || isMuchTheSame(one.text, other.text);
  if (!hasTimes(one) || !hasTimes(other)) return isAlike();
  const isAtOnce = Number(one.startMs) < Number(other.endMs) && Number(other.startMs) < Number(one.endMs);
  return isAtOnce && (Math.min(Number(one.startMs), Number(other.startMs)) >= earlyMs || isAlike());
}

/** By their words; in a script without spaces, and where words were heard as others that sound like them, by their letters. */
function isMuchTheSame(one: string, other: string): boolean {
  const [few = [], many = []] = [one, other].map(unitsOf).toSorted((a, b) => a.length - b.length);
  if (few.length > 0 && common(few, many) >= few.length * minCommon) return true;
  const [pairs = [], others = []] = [one, other].map(pairsOf);
  return common(pairs, others) * 2 > (pairs.length + others.length) * minCommon;
}

/** How many of these the others have, too. */
function common(units: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const unit of others) left.set(unit, (left.get(unit) ?? 0) + 1);
  return units.filter((unit) => {
    const count = left.get(unit) ?? 0;
    left.set(unit, count - 1);
    return count > 0;
  }).length;
}

const unitsOf = (text: string): string[] =>
  asSpoken(text).match(
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+/gu,
  ) ?? [];

/** Each letter with the one behind it. */
function pairsOf(text: string): string[] {
  const letters = [...asSpoken(text).replaceAll(" ", "")];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
