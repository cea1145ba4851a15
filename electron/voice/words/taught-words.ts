import { maxHeardAs, maxOwnWords, type OwnWord } from "../../../shared/voice/voice-settings.ts";
import type { LearnedWord } from "./learned-words.ts";

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * The list with a word that was learned, its newest ways to be misheard first. A word that the user put there by hand stays
 * as it is but for those. A full list loses the learned word that was not used for longest; where there is none, it stays.
 * @param today such as `2026-11-23`
 */
export function withLearned(
  list: readonly OwnWord[],
  { word, heardAs }: Pick<LearnedWord, "word" | "heardAs">,
  today: string,
): OwnWord[] {
  const known = list.find((own) => isSame(own.word, word));
  if (known) {
    const forms = [...new Set([...heardAs, ...known.heardAs])].slice(0, maxHeardAs);
    const next = { ...known, heardAs: forms, ...(known.usedOn !== undefined && { usedOn: today }) };
    return list.map((own) => (own === known ? next : own));
  }
  const room = withRoom(list);
  return room ? [...room, { word, heardAs: heardAs.slice(0, maxHeardAs), usedOn: today }] : [...list];
}

/** null: every word of a full list was put there by hand. */
function withRoom(list: readonly OwnWord[]): readonly OwnWord[] | null {
  if (list.length < maxOwnWords) return list;
  const learned = list.filter(({ usedOn }) => usedOn !== undefined);
  const [first, ...others] = learned;
  if (!first) return null;
  const oldest = others.reduce((one, own) => ((own.usedOn ?? "") < (one.usedOn ?? "") ? own : one), first);
  return list.filter((own) => own !== oldest);
}

/** What stood there was one of the user's words, and wrong: what it was taken from is no way to mishear it. */
export function withoutForm(list: readonly OwnWord[], word: string, form: string): OwnWord[] {
  return list.map((own) =>
    isSame(own.word, word) ? { ...own, heardAs: own.heardAs.filter((one) => !isSame(one, form)) } : own,
  );
}

/** The learned words that stand in a text were used today. @returns null where that is known */
export function withUse(list: readonly OwnWord[], text: string, today: string): OwnWord[] | null {
  const isUsed = ({ word, usedOn }: OwnWord) =>
    usedOn !== undefined && usedOn !== today && hasWord(text, word);
  if (!list.some(isUsed)) return null;
  return list.map((own) => (isUsed(own) ? { ...own, usedOn: today } : own));
}

/** As a word: "Al" is not in "Also". */
function hasWord(text: string, word: string): boolean {
  const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}
