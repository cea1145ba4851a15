import { type Match, matchWords } from "./match-words.ts";
import { type PaletteItem, type PaletteKind, paletteKinds } from "./palette-items.ts";
import { bonusOf, type Uses } from "./uses.ts";

export interface PaletteGroup {
  kind: PaletteKind;
  items: readonly PaletteItem[];
}

/** What has a name: `also` is looked for, too, and not shown as found. */
interface Named {
  id: string;
  title: string;
  also: string;
}

export interface RankOptions {
  words: readonly string[];
  uses: Uses;
  /** Milliseconds since the epoch. */
  now: number;
  /** So many are kept: there may be tens of thousands of conversations. */
  most: number;
}

/** What is meant by a name that is not shown counts a little less. */
const alsoShare = 0.9;
/** The best of those that fit, best first; of equally good ones the order stays. Where none has the words, their letters do. */
export function ranked<Entry extends Named>(
  entries: readonly Entry[],
  options: RankOptions,
): (Entry & Match)[] {
  const exact = best(entries, options, false);
  return exact.length > 0 ? exact : best(entries, options, true);
}

function best<Entry extends Named>(
  entries: readonly Entry[],
  { words, uses, now, most }: RankOptions,
  canScatter: boolean,
): (Entry & Match)[] {
  const kept: { entry: Entry; score: number; marks: Match["marks"] }[] = [];
  for (const entry of entries) {
    const found = matchWords(entry.title, words, canScatter);
    const also =
      found || entry.also === "" ? null : matchWords(`${entry.also} ${entry.title}`, words, canScatter);
    if (!found && !also) continue;
    const score = (found?.score ?? alsoShare * (also?.score ?? 0)) + bonusOf(uses[entry.id], now);
    const last = kept.at(-1);
    if (kept.length >= most && last && score <= last.score) continue;
    let at = kept.length;
    while (at > 0 && (kept[at - 1]?.score ?? score) < score) at--;
    kept.splice(at, 0, { entry, score, marks: found?.marks ?? [] });
    if (kept.length > most) kept.pop();
  }
  return kept.map(({ entry, score, marks }) => ({ ...entry, score, marks }));
}

/** The kind of the best match first, the others in their order. @param most of each kind */
export function grouped(
  found: Readonly<Record<PaletteKind, readonly PaletteItem[]>>,
  kind: PaletteKind | null,
  most: number,
): PaletteGroup[] {
  const kinds = paletteKinds.filter((one) => (kind === null || one === kind) && found[one].length > 0);
  const bestOf = (one: PaletteKind) => found[one][0]?.score ?? 0;
  const [best] = kinds.toSorted((a, b) => bestOf(b) - bestOf(a));
  const order = best === undefined ? [] : [best, ...kinds.filter((one) => one !== best)];
  return order.map((one) => ({ kind: one, items: found[one].slice(0, most) }));
}
