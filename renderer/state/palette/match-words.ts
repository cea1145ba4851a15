/** A part of a text, in UTF-16 units: from `start` up to `end`. */
export interface Mark {
  start: number;
  end: number;
}

export interface Match {
  /** 0 to about 1: the higher, the better. */
  score: number;
  /** What of the text was meant, in its order. */
  marks: readonly Mark[];
}

const scores = { textStart: 1, wordStart: 0.8, inside: 0.5, scattered: 0.25 };
/** Of fewer letters, some in that order are in most texts. */
const leastScattered = 3;
/** What a text that is no longer than the words gets beside. */
const wholeBonus = 0.1;

/** Words as they are looked for: without case and accents. */
export const wordsOf = (typed: string): string[] => folded(typed).split(/\s+/).filter(Boolean);

/**
 * How well a text fits what is typed: each word must be in it, best at its beginning or at that of a word; where it is
 * not, its letters in their order will do. @param canScatter whether they do @returns null where a word is not in it
 */
export function matchWords(text: string, words: readonly string[], canScatter = true): Match | null {
  const where = folded(text);
  let sum = 0;
  const marks: Mark[] = [];
  for (const word of words) {
    const found = place(where, word) ?? (canScatter ? scattered(where, word) : null);
    if (!found) return null;
    sum += found.score;
    marks.push(...found.marks);
  }
  if (words.length === 0) return { score: 0, marks };
  const meant = words.reduce((total, { length }) => total + length, 0);
  const bonus = wholeBonus * Math.min(1, meant / Math.max(1, where.length));
  return { score: sum / words.length + bonus, marks: joined(marks) };
}

function place(where: string, word: string): Match | null {
  const first = where.indexOf(word);
  if (first < 0) return null;
  let start = first;
  while (start >= 0 && !isWordStart(where, start)) start = where.indexOf(word, start + 1);
  const at = start < 0 ? first : start;
  const score = at === 0 ? scores.textStart : start < 0 ? scores.inside : scores.wordStart;
  return { score, marks: [{ start: at, end: at + word.length }] };
}

/** All letters in their order, the first at the beginning of a word. */
function scattered(where: string, word: string): Match | null {
  if (word.length < leastScattered) return null;
  for (let from = where.indexOf(word.charAt(0)); from >= 0; from = where.indexOf(word.charAt(0), from + 1)) {
    if (!isWordStart(where, from)) continue;
    const marks: Mark[] = [];
    let at = from - 1;
    for (const letter of word) {
      at = where.indexOf(letter, at + 1);
      if (at < 0) return null;
      marks.push({ start: at, end: at + letter.length });
    }
    // Letters that are strewn over a whole sentence were hardly meant.
    if (at - from <= 3 * word.length)
      return { score: (scores.scattered * word.length) / (at - from + 1), marks };
  }
  return null;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  // Asked of every title with every letter that is typed.
  if (before < 128) return !((before >= 97 && before <= 122) || (before >= 48 && before <= 57));
  return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** Overlapping and touching ones are one. */
function joined(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = [];
  for (const { start, end } of [...marks].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

const accents = /[\u0300-\u036f]/g;
const onlyPlain = /^[\x20-\x7e]*$/;
/** The same titles are looked at with every letter that is typed. */
const known = new Map<string, string>();
const mostKnown = 50_000;

/** Each unit of the text has its own unit here, so that places in one are places in the other. */
function folded(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const result = onlyPlain.test(text) ? text.toLowerCase() : foldedUnits(text);
  known.set(text, result);
  return result;
}

function foldedUnits(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    const unit = text.charAt(at);
    const plain = unit.normalize("NFD").replace(accents, "").toLowerCase();
    return plain.length === 1 ? plain : unit;
  }).join("");
}
