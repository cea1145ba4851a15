import type { Rule } from "./rules.ts";

/** Words in letters that are not Latin, with what stands between them. */
const foreign =
  /(?:(?!\p{Script=Latin})[\p{L}\p{M}]){1,200}(?:[^\p{Script=Latin}\n]{0,40}(?!\p{Script=Latin})\p{L}\p{M}{0,4}){0,200}/gu;

/** For a voice that knows only Latin letters: that something is left out is said. */
export const otherScripts: readonly Rule[] = [
  [
    foreign,
    (found) => (/\s/.test(found.trim()) ? " words in another script " : " a word in another script "),
  ],
];
