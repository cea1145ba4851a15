import { diffWordsWithSpace } from "diff";

/** Signs that look like a plain one. */
const plainForms: readonly (readonly [signs: RegExp, plain: string])[] = [
  [/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, "-"],
  [/[\u02BC\u2018-\u201B\u2032\uFF07]/g, "'"],
  [/[\u201C-\u201F\u2033\uFF02]/g, '"'],
  [/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, " "],
  [/\u2026/g, "..."],
  [/\p{Default_Ignorable_Code_Point}/gu, ""],
];

/** Typographic punctuation and blanks as their plain forms, each letter in one way to write it; what is not seen goes. */
export const plainSigns = (text: string): string =>
  plainForms.reduce((plain, [signs, form]) => plain.replace(signs, form), text.normalize("NFD"));

export interface Place {
  start: number;
  end: number;
}

/** A text in plain signs; of each unit, where in the text the character is that it comes from. */
interface Plain {
  text: string;
  starts: readonly number[];
  ends: readonly number[];
}

function plainOf(text: string): Plain {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  /** A large file has few characters, each very often. */
  const known = new Map<string, string>();
  let at = 0;
  for (const char of text) {
    const plain = char < "\u0080" ? char : (known.get(char) ?? plainSigns(char));
    known.set(char, plain);
    parts.push(plain);
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(at);
      ends.push(at + char.length);
    }
    at += char.length;
  }
  return { text: parts.join(""), starts, ends };
}

/** Accents, and what a Korean syllable consists of behind its first sign. */
const goesOn = /^[\p{M}\u1160-\u11FF\uD7B0-\uD7FF]/u;

/** Where something stands that looks like `wanted`. @param find the places of one text in another */
export function placesAlike(
  text: string,
  wanted: string,
  find: (text: string, wanted: string) => Place[],
): Place[] {
  const { text: plain, starts, ends } = plainOf(text);
  const sought = plainOf(wanted).text;
  if (sought === "") return [];
  return find(plain, sought).flatMap(({ start, end }) => {
    // A part of a character, or a letter without its accent, is something else.
    const isPart = starts[start] === starts[start - 1] || starts[end] === starts[end - 1];
    if (isPart || goesOn.test(plain.slice(end, end + 2))) return [];
    return [{ start: starts[start] ?? 0, end: ends[end - 1] ?? text.length }];
  });
}

/** Longer than this in milliseconds, and `by` is taken as it is. */
const maxDiffMs = 500;

/** `by`, in the signs of `own` wherever it says the same as `wanted`. @param own looks like `wanted` */
export function inOwnSigns(own: string, wanted: string, by: string): string {
  const changes = diffWordsWithSpace(wanted, by, { timeout: maxDiffMs });
  if (!changes) return by;
  const [theirs, ours] = [plainOf(wanted), plainOf(own)];
  const parts: string[] = [];
  let [at, unit, from] = [0, 0, 0];
  for (const { value, added, removed } of changes) {
    if (added) {
      parts.push(value);
      continue;
    }
    at += value.length;
    while ((theirs.starts[unit] ?? at) < at) unit++;
    const to = ours.starts[unit] ?? own.length;
    // One character of the file is two of the model's, and only one of them changes.
    if (unit > 0 && to === ours.starts[unit - 1]) return by;
    if (!removed) parts.push(own.slice(from, to));
    from = to;
  }
  return parts.join("");
}

const maxNamed = 5;

/** Signs of a text that are easily taken for others, and that `wanted` does not have, by their code points; blank for none. */
export function strangeSigns(text: string, wanted: string): string {
  const signs = [...new Set(text)].filter((sign) => isStrange(sign) && !wanted.includes(sign));
  const named = signs.slice(0, maxNamed).map((sign) => {
    const point = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    return /[\p{Z}\p{C}\p{M}]/u.test(sign) ? point : `${sign} ${point}`;
  });
  return [...named, ...(signs.length > maxNamed ? ["…"] : [])].join(", ");
}

const isStrange = (sign: string) =>
  sign.normalize("NFKC") !== sign ||
  plainSigns(sign) !== sign.normalize("NFD") ||
  /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(sign);
