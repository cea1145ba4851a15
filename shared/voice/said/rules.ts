/**
 * What is found in a text, and what is said in its place. Found with a limit on each repetition, so that no text takes
 * longer than its length; what is said is words and digits, so that no later rule takes it for something else.
 */
export type Rule = readonly [find: RegExp, said: string | ((found: string, ...groups: string[]) => string)];

/** The text after each of these rules, in their order. Pure. */
export const applied = (rules: readonly Rule[], text: string): string =>
  rules.reduce(
    (said, [find, words]) =>
      typeof words === "string" ? said.replace(find, words) : said.replace(find, words),
    text,
  );
