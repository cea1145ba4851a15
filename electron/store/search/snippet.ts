import { snippetMarks } from "../../../shared/conversation/sessions.ts";
import type { SearchTerm } from "./search-words.ts";
import { beginsSpaceless, spacelessClass } from "./spaceless.ts";

/** Characters before the first match, and all in all. */
const before = 60;
const snippetChars = 240;

const escaped = (word: string) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A word as it is said, whatever marks its letters carry in the text and however it is written large or small. */
const wordSource = (word: string) =>
  Array.from(unmarked(word), (letter) => `${escaped(letter)}\\p{M}*`).join("");

const unmarked = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Behind no letter but of a script without spaces: a word begins here. */
const begin = `(?<!(?!${spacelessClass})[\\p{L}\\p{N}\\p{M}])`;
const between = "[^\\p{L}\\p{N}]";

/** Matches each term at the beginning of a word: the index finds words that begin so. */
export function termPattern(terms: readonly SearchTerm[]): RegExp {
  const sources = terms.map(({ words: [first = "", ...others] }) => {
    let [source, last] = [startOf(first), first];
    for (const word of others) {
      const isApart = !beginsSpaceless.test(last) && !beginsSpaceless.test(word);
      source += `${between}${isApart ? "+" : "*"}${wordSource(word)}`;
      last = word;
    }
    return source;
  });
  return new RegExp(`(?:${sources.join("|")})`, "giu");
}

const startOf = (word: string) => `${beginsSpaceless.test(word) ? "" : begin}${wordSource(word)}`;

/** @returns a stretch of `text` around the first match, on one line, every match in it between marks */
export function snippetOf(text: string, pattern: RegExp): string {
  const plain = text.normalize("NFD").replaceAll(/[\uE000\uE001]/g, "");
  const first = Math.max(0, plain.search(pattern));
  const start = first <= before ? 0 : first - before;
  const cut = plain.slice(start, start + snippetChars);
  const marked = cut.replaceAll(pattern, (match) => snippetMarks.open + match + snippetMarks.close);
  const [lead, tail] = [start > 0 ? "…" : "", start + snippetChars < plain.length ? "…" : ""];
  return `${lead}${marked.replaceAll(/\s+/g, " ").trim()}${tail}`.normalize("NFC").replaceAll(/\p{Cs}/gu, "");
}
