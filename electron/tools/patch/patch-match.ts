import { plainSigns } from "./look-alikes.ts";
import { type Hunk, PatchError } from "./patch-parse.ts";

/** A line of the result: one of the file's own, by its index, or a new one. */
export type PatchedLine = { from: number } | { text: string };

/**
 * Applies the hunks of one file to its lines, from top to bottom. Lines that a hunk keeps are the file's own, however
 * loosely they matched.
 * @param own the file's lines
 * @throws PatchError when a hunk has no place, or, matched loosely, more than one, or when it takes too much to find it
 */
export function applyHunks(own: readonly string[], hunks: readonly Hunk[], path: string): PatchedLine[] {
  const lines = new FileLines(own, path);
  const result: PatchedLine[] = [];
  let at = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at++) result.push({ from: at });
  };
  for (const [index, whole] of hunks.entries()) {
    const name = `${path}, change ${index + 1} of ${hunks.length}`;
    const { hunk, place } = placed(whole, lines, at, name);
    keepUntil(place);
    for (const { kind, text } of hunk.lines) {
      if (kind === "add") result.push({ text });
      else if (kind === "keep") keepUntil(at + 1);
      else at++;
    }
  }
  keepUntil(lines.length);
  return result;
}

/** Where a hunk goes; without the empty lines at its end where it goes nowhere with them: they may only stand between sections. */
function placed(hunk: Hunk, lines: FileLines, done: number, name: string): { hunk: Hunk; place: number } {
  const last = hunk.lines.findLastIndex(({ isBare }) => !isBare);
  const bare = { ...hunk, lines: hunk.lines.slice(0, last + 1) };
  const isBare = bare.lines.length < hunk.lines.length;
  // Nothing but additions above them: they are no place to go to.
  if (isBare && oldLines(bare).length === 0) return { hunk: bare, place: placeOf(bare, lines, done, name) };
  try {
    return { hunk, place: placeOf(hunk, lines, done, name) };
  } catch (error) {
    if (!isBare || !(error instanceof NoPlace)) throw error;
    try {
      return { hunk: bare, place: placeOf(bare, lines, done, name) };
    } catch {
      throw error;
    }
  }
}

/** Its lines are not in the file. */
class NoPlace extends PatchError {}

const oldLines = ({ lines }: Hunk) => lines.flatMap(({ kind, text }) => (kind === "add" ? [] : [text]));

function placeOf(hunk: Hunk, lines: FileLines, done: number, name: string): number {
  const old = oldLines(hunk);
  const from = afterHints(hunk.hints, lines, done, name);
  // Nothing but additions: below the hint, or at the end of the file.
  if (old.length === 0) return hunk.hints.length > 0 && !hunk.atEnd ? from : lines.length;
  if (hunk.atEnd) {
    const last = lines.length - old.length;
    if (last >= done && looseness.some((_, level) => lines.haveAt(old, last, level))) return last;
    throw new NoPlace(`${name}: its lines are not the last of the file:\n${shown(old)}`);
  }
  // A hint may also be the first line of what it stands above.
  const starts = hunk.hints.length > 0 ? [from, from - 1] : [from];
  for (const start of starts) {
    const found = find(old, lines, Math.max(start, done), name);
    if (found !== undefined) return found;
  }
  const before = lines.firstAt(old, 0, 0);
  const why =
    before === -1
      ? "its lines are not in the file"
      : `its lines are at line ${before + 1}, before where it can be: changes go from top to bottom`;
  throw new NoPlace(`${name}: ${why}:\n${shown(old)}`);
}

/** @returns the line below the last hint */
function afterHints(hints: readonly string[], lines: FileLines, done: number, name: string): number {
  let from = done;
  for (const hint of hints) {
    const found = looseness.map((_, level) => lines.firstAt([hint], from, level)).find((at) => at !== -1);
    if (found === undefined) throw new PatchError(`${name}: there is no line "@@ ${hint}" to go to.`);
    from = found + 1;
  }
  return from;
}

/** From exact to loose: blanks at the end, blanks around, punctuation that looks alike. */
const looseness: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plainSigns(line).trim(),
];

/** The first exact place; else the only one at the least loose level that has any. */
function find(old: string[], lines: FileLines, from: number, name: string): number | undefined {
  for (const level of looseness.keys()) {
    const first = lines.firstAt(old, from, level);
    if (first === -1) continue;
    const second = level === 0 ? -1 : lines.firstAt(old, first + 1, level);
    if (second === -1) return first;
    throw new PatchError(
      `${name}: its lines are not exactly in the file, and nearly at more than one place (lines ${first + 1} and ${second + 1}). Give them as they are in the file:\n${shown(old)}`,
    );
  }
  return undefined;
}

/** Lines that are compared for one patch of a file, at the most: a fraction of a second. */
const maxComparisons = 100_000_000;

/** A file's lines to look for others in, as numbers: equal lines of a level have the same. Each line is loosened once. */
class FileLines {
  readonly length: number;
  readonly #own: readonly string[];
  readonly #path: string;
  /** By level. */
  readonly #numbered: { numbers: Map<string, number>; lines: Int32Array }[] = [];
  #left = maxComparisons;

  constructor(own: readonly string[], path: string) {
    this.length = own.length;
    this.#own = own;
    this.#path = path;
  }

  /** @returns -1 where they are not @throws PatchError when it takes too much to say */
  firstAt(old: readonly string[], from: number, level: number): number {
    const { numbers, lines } = this.#at(level);
    const wanted = Int32Array.from(old, (line) => numbers.get(loosened(line, level)) ?? -1);
    if (wanted.includes(-1)) return -1;
    for (let at = Math.max(0, from); at + wanted.length <= lines.length; at++) {
      let equal = 0;
      while (equal < wanted.length && lines[at + equal] === wanted[equal]) equal++;
      if (equal === wanted.length) return at;
      this.#left -= equal + 1;
      if (this.#left < 0) {
        throw new PatchError(
          `${this.#path}: too many of its lines are alike to find where the changes belong. Put "@@ " and a line above each change, and give only a few lines with it.`,
        );
      }
    }
    return -1;
  }

  haveAt(old: readonly string[], at: number, level: number): boolean {
    return old.every((line, index) => loosened(this.#own[at + index] ?? "", level) === loosened(line, level));
  }

  #at(level: number) {
    const known = this.#numbered[level];
    if (known) return known;
    const numbers = new Map<string, number>();
    const lines = Int32Array.from(this.#own, (line) => {
      const loose = loosened(line, level);
      const number = numbers.get(loose) ?? numbers.size;
      numbers.set(loose, number);
      return number;
    });
    this.#numbered[level] = { numbers, lines };
    return { numbers, lines };
  }
}

const loosened = (line: string, level: number) => looseness[level]?.(line) ?? line;

function shown(lines: readonly string[]): string {
  const some = lines.slice(0, 10).join("\n");
  return lines.length > 10 ? `${some}\n…` : some;
}
