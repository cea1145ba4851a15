import { shortWords } from "./abbreviations.ts";
import { addresses, addressesAsHosts } from "./addresses.ts";
import { codeNames, codeSigns, namesWithSigns, signsAlone } from "./code.ts";
import { dates, times } from "./dates-and-times.ts";
import { keys } from "./keys.ts";
import { formulas, greekLetters, operators, powers } from "./maths.ts";
import { moneyAndUnits } from "./money-and-units.ts";
import {
  factors,
  fractions,
  numbered,
  phones,
  plainNumbers,
  ranges,
  ratios,
  scales,
  versions,
} from "./numbers.ts";
import { paths, strokes } from "./paths.ts";
import { applied, type Rule } from "./rules.ts";
import { otherScripts } from "./scripts.ts";

export interface SaidAsOptions {
  /** The voice knows no letters but Latin ones. */
  isLatinOnly?: boolean;
}

/**
 * What a voice gets of a sentence: its numbers, signs, names and addresses in the words that a person would say. In a language
 * without a table of words its signs stay, for the voice to say. Pure.
 * @param text a sentence as it is written, without the marks of Markdown
 * @param language of the sentence, such as `en` or `en-GB`; `auto` counts as English
 */
export function saidAs(text: string, language: string, { isLatinOnly = false }: SaidAsOptions = {}): string {
  const rules = rulesOf(language);
  const written = text.normalize("NFC");
  const said = applied(rules, applied(before, rules === english ? applied(ticks, written) : written));
  const known = isLatinOnly && rules === english && hasLatin(said) ? applied(otherScripts, said) : said;
  const words = applied(after, known).trim();
  return words === "" ? text : words;
}

const hasLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text);

/** In the order in which they are looked for: what holds the signs of another kind comes before that. */
const english: readonly Rule[] = [
  ...shortWords,
  [/☑ ?/g, "done: "],
  [/☐ ?/g, "to do: "],
  [
    /(?<![\d=<>] )(?<!\b(?:is|are|was|be|at|for|by|if|when|takes?|under|with|has|[a-z]) )(?<=\w )<3(?=[\s!.]{0,4}$)/g,
    "",
  ],
  ...formulas,
  ...addresses,
  [/(?<!\S)[!-~]{200,}/g, "a long string of characters"],
  ...dates,
  ...scales,
  ...times,
  ...keys,
  ...namesWithSigns,
  ...phones,
  ...versions,
  ...plainNumbers,
  ...fractions,
  ...paths,
  ...codeNames,
  ...numbered,
  ...ratios,
  ...factors,
  ...ranges,
  ...codeSigns,
  ...operators,
  ...moneyAndUnits,
  ...powers,
  ...strokes,
  ...greekLetters,
  ...signsAlone,
  [/(?<=\p{L}|\d)(?: & |&)(?=\p{L}|\d)/gu, " and "],
  [/[<>~]+/g, " "],
];

const neutral: readonly Rule[] = addressesAsHosts;

function rulesOf(language: string): readonly Rule[] {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? "";
  return code === "en" || code === "auto" ? english : neutral;
}

/** They say what a cross beside them says. */
const negative =
  "don['’]t|do not|never|not?|fail(?:ed|s|ure)?|errors?|bad|wrong|avoid|missing|invalid|incorrect|broken";

/** What is so and what is not, as in a table of them. Before and behind words a tick only decorates; a cross does not. */
const ticks: readonly Rule[] = [
  [/(?<=(?:^|[:,;|(=–—]) ?)[✅✔✓]\ufe0f?(?!\ufe0f? ?[\p{L}\p{N}"“'‘])/gu, " yes"],
  [/[✅✔✓]\ufe0f?/gu, " "],
  [new RegExp(`[❌✗✘✖]\\ufe0f?(?= ?(?:${negative})\\b)|(?<=\\b(?:${negative}) ?)[❌✗✘✖]`, "gi"), " "],
  [/[❌✗✘✖]\ufe0f?(?!\ufe0f? ?[\p{L}\p{N}"“'‘])/gu, " no"],
  [/[❌✗✘✖]\ufe0f? ?/gu, "no: "],
];

/** What no voice says, in any language. */
const before: readonly Rule[] = [
  [/(?!☑)\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f\u20e3]/gu, " "],
  [/(?<=^|\s)[:;]-?[)(DPp](?=[\s.,!?]|$)/g, ""],
  [/\[\^[\w-]{1,40}\]|(?<=[.,;!?”"])(?:\[\d{1,3}\]){1,9}/g, ""],
  [/[−‐‑]/g, "-"],
];

/** Marks that are left over, and what the rules left between words. */
const after: readonly Rule[] = [
  [/[*`|[\]]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, " "],
  [/\s+/g, " "],
  [/ (?=[.,;:!?]{1,9}(?:[\s)"”’]|$))/g, ""],
];
