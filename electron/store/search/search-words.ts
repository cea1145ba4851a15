import { withSpaces } from "./spaceless.ts";

/** A word or a "phrase in quotes" that is searched for. */
export interface SearchTerm {
  /** As the index has them: letters and digits, in their order; at least one. */
  words: string[];
}

const longestQuery = 32;

/**
 * What somebody typed into a search field: words, and phrases in quotes. Whatever else stands there (operators,
 * brackets, a quote that is not closed) separates words and means nothing.
 */
export function searchTerms(typed: string): SearchTerm[] {
  return [...typed.matchAll(/"([^"]*)"|[^\s"]+/gu)]
    .map(([whole, phrase = whole]) => ({ words: withSpaces(phrase).match(wordPattern) ?? [] }))
    .filter(({ words }) => words.length > 0)
    .slice(0, longestQuery);
}

/** What the index takes for a word: letters, digits and private-use characters, with the marks on them. */
const wordPattern = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;
