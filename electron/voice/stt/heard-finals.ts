import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import type { Utterance } from "./voice-events.ts";

/** So many utterances of a session are known again. */
const maxKnown = 300;
/** Better words for the same utterance have at least so many of its words, of the fewer of the two. */
const minCommon = 0.5;

type Known = Pick<Utterance, "id" | "text" | "startMs" | "endMs">;

/**
 * The utterances of one session, so that each is heard once, however often a server tells it. A server says with an utterance's id,
 * or with its times and words, that it is the same. Ids and times that it gives to different utterances say nothing.
 */
export class HeardFinals {
  #known: Known[] = [];
  #idsMean = true;
  #timesMean = true;

  /**
   * @param hasId the server has named it
   * @returns it, with what it `corrects` where that is better known now; null: it was heard before
   */
  take(said: Utterance, hasId: boolean): Utterance | null {
    // What comes in place of words may be followed by the words.
    if (said.noWords) return said;
    const before = this.#before(said, hasId);
    if (before && isSameText(before, said)) return null;
    const { id, text, startMs, endMs } = said;
    this.#known = [...this.#known.filter((one) => one !== before), { id, text, startMs, endMs }].slice(
      -maxKnown,
    );
    return before ? { ...said, corrects: before.text } : said;
  }

  #before(said: Utterance, hasId: boolean): Known | undefined {
    const named = hasId && this.#idsMean ? this.#known.findLast(({ id }) => id === said.id) : undefined;
    if (named && isSame(named, said)) return named;
    if (named) this.#idsMean = false;
    const timed = hasTimes(said) ? this.#known.filter((one) => hasSameTimes(one, said)) : [];
    if (timed.some((one) => !isSameText(one, said) && one.id !== said.id)) this.#timesMean = false;
    return this.#timesMean ? timed.find((one) => isSameText(one, said)) : undefined;
  }
}

const isSameText = (one: Pick<Known, "text">, other: Pick<Known, "text">) =>
  one.text === other.text || (asSpoken(one.text) !== "" && asSpoken(one.text) === asSpoken(other.text));

const hasTimes = ({ startMs, endMs }: Known) => startMs !== null && endMs !== null && endMs > startMs;
const hasSameTimes = (one: Known, other: Known) => one.startMs === other.startMs && one.endMs === other.endMs;

/** Whether two finals with the same id can be the same utterance: said at the same time, or else in much the same words. */
function isSame(one: Known, other: Known): boolean {
  if (hasTimes(one) && hasTimes(other)) {
    return Number(one.startMs) < Number(other.endMs) && Number(other.startMs) < Number(one.endMs);
  }
  return isSameText(one, other) || common(one.text, other.text) >= minCommon;
}

/** How many of the words of the shorter text the other has, too, 0–1; of a script without spaces, its letters. */
function common(one: string, other: string): number {
  const [few = [], many = []] = [one, other].map(unitsOf).toSorted((a, b) => a.length - b.length);
  const rest = [...many];
  const shared = few.filter((unit) => {
    const at = rest.indexOf(unit);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return few.length === 0 ? 0 : shared.length / few.length;
}

const unitsOf = (text: string): string[] =>
  asSpoken(text).match(
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]+/gu,
  ) ?? [];
