import { plainSigns } from "./look-alikes.ts";
import { type Hunk, PatchError } from "./patch-parse.ts";

/** A line of the result: one of the file's own, by its index, or a new one. */
export type PatchedLine = { from: number } | { text: string };

/**
 * Applies the hunks of one file to its lines, from top to bottom. Lines that a hunk keeps are the file's own, however
 * loosely they matched.
 * @throws PatchError when a hunk has no place, or, matched loosely, more than one
 */
export function applyHunks(lines: readonly string[], hunks: readonly Hunk[], path: string): PatchedLine[] {
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
function placed(
  hunk: Hunk,
  lines: readonly string[],
  done: number,
  name: string,
): { hunk: Hunk; place: number } {
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

function placeOf(hunk: Hunk, lines: readonly string[], done: number, name: string): number {
  const old = oldLines(hunk);
  const from = afterHints(hunk.hints, lines, done, name);
  // Nothing but additions: below the hint, or at the end of the file.
  if (old.length === 0) return hunk.hints.length > 0 && !hunk.atEnd ? from : lines.length;
  if (hunk.atEnd) {
    const last = lines.length - old.length;
    if (last >= done && looseness.some((loosened) => isAt(old, lines, last, loosened))) return last;
    throw new NoPlace(`${name}: its lines are not the last of the file:\n${shown(old)}`);
  }
  // A hint may also be the first line of what it stands above.
  const starts = hunk.hints.length > 0 ? [from, from - 1] : [from];
  for (const start of starts) {
    const found = find(old, lines, Math.max(start, done), name);
    if (found !== undefined) return found;
  }
  const before = firstAt(old, lines, 0, (line) => line);
  const why =
    before === -1
      ? "its lines are not in the file"
      : `its lines are at line ${before + 1}, before where it can be: changes go from top to bottom`;
  throw new NoPlace(`${name}: ${why}:\n${shown(old)}`);
}

/** @returns the line below the last hint */
function afterHints(hints: readonly string[], lines: readonly string[], done: number, name: string): number {
  let from = done;
  for (const hint of hints) {
    const found = looseness.map((loosened) => firstAt([hint], lines, from, loosened)).find((at) => at !== -1);
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
function find(old: string[], lines: readonly string[], from: number, name: string): number | undefined {
  for (const [level, loosened] of looseness.entries()) {
    const first = firstAt(old, lines, from, loosened);
    if (first === -1) continue;
    const second = level === 0 ? -1 : firstAt(old, lines, first + 1, loosened);
    if (second === -1) return first;
    throw new PatchError(
      `${name}: its lines are not exactly in the file, and nearly at more than one place (lines ${first + 1} and ${second + 1}). Give them as they are in the file:\n${shown(old)}`,
    );
  }
  return undefined;
}

function firstAt(
  old: readonly string[],
  lines: readonly string[],
  from: number,
  loosened: (line: string) => string,
): number {
  for (let at = Math.max(0, from); at + old.length <= lines.length; at++) {
    if (isAt(old, lines, at, loosened)) return at;
  }
  return -1;
}

function isAt(
  old: readonly string[],
  lines: readonly string[],
  at: number,
  loosened: (line: string) => string,
): boolean {
  return old.every((line, index) => loosened(lines[at + index] ?? "") === loosened(line));
}

function shown(lines: readonly string[]): string {
  const some = lines.slice(0, 10).join("\n");
  return lines.length > 10 ? `${some}\n…` : some;
}
