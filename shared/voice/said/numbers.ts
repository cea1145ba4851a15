import { denominators, manyOf, ordinalsBelow20, smallNumbers, tens, tensth } from "./english.ts";
import type { Rule } from "./rules.ts";

/** "forty two". @param number 0–99 */
export function numberWords(number: number): string {
  const ten = tens[Math.floor(number / 10)] ?? "";
  const small = smallNumbers[number];
  if (small !== undefined) return small;
  return number % 10 === 0 ? ten : `${ten} ${smallNumbers[number % 10]}`;
}

/** "twenty-sixth". @param number 1–39 */
export function ordinalWords(number: number): string {
  const small = ordinalsBelow20[number];
  if (small !== undefined) return small;
  const ten = Math.floor(number / 10);
  return number % 10 === 0 ? (tensth[ten] ?? "") : `${tens[ten]}-${ordinalsBelow20[number % 10]}`;
}

/** "1 2 3", with a pause where something else than a digit stands. */
export const digitByDigit = (text: string): string =>
  (text.match(/\d+/g) ?? []).map((part) => [...part].join(" ")).join(", ");

function fraction(above: string, below: string): string {
  const parts = denominators.get(below);
  if (!parts) return `${above} over ${below}`;
  if (below === "2" && above === "1") return "half";
  if (above === "1") return `${below === "8" ? "an" : "a"} ${parts[0]}`;
  return `${numberWords(Number(above))} ${parts[1]}`;
}

/** "and a half", behind a whole number. */
const andFraction = (above: string, below: string): string =>
  ` and ${below === "2" ? "a half" : fraction(above, below)}`;

/** "3/4" is three quarters, "7/10" seven out of ten, and "24/7" just that. */
function overSlash(found: string, above: string, below: string): string {
  const [one, other] = [Number(above), Number(below)];
  if (asTwo.has(found)) return `${above} ${below}`;
  if (one < other && denominators.has(below)) return fraction(above, below);
  if (one <= other) return `${above} out of ${below}`;
  const isBloodPressure = one >= 80 && other >= 40;
  return (other >= 2 && other <= 6) || isBloodPressure ? `${above} over ${below}` : found.replace("/", " ");
}

/** Each has a meaning of its own. */
const asTwo = new Set(["24/7", "9/11", "50/50", "20/20"]);

const signs: ReadonlyMap<string, readonly [string, string]> = new Map(
  "½12 ⅓13 ⅔23 ¼14 ¾34 ⅕15 ⅖25 ⅗35 ⅘45 ⅙16 ⅚56 ⅛18 ⅜38 ⅝58 ⅞78"
    .split(" ")
    .map(([sign = "", above = "", below = ""]) => [sign, [above, below]]),
);
const ofSign = (sign: string): readonly [string, string] => signs.get(sign) ?? ["1", "2"];

/** "20.18" of a version is no decimal fraction. */
const points = (version: string): string => version.split(".").join(" point ");

export const versions: readonly Rule[] = [
  // 1.10.2, v1.10.2-beta.1. With a look ahead in an optional group, V8's compiled code finds less than its interpreter.
  [
    /(?<![\w./])(v?)(\d{1,6}(?:\.\d{1,6}){2,4})(?:-(alpha|beta|rc|next|pre)[.-]?(\d{0,4}))?(?![\w]|\.\d)/gi,
    (found, v = "", version = "", stage = "", count = "") =>
      /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(found)
        ? found.replaceAll(".", ",")
        : [v && "version", points(version), stage.toLowerCase() === "rc" ? "R C" : stage, count]
            .filter(Boolean)
            .join(" "),
  ],
  [/(?<![\w./])v(\d{1,4}(?:\.\d{1,4})?)(?![\w/]|\.\d)/g, (_, version = "") => `version ${points(version)}`],
  [
    new RegExp(`\\b(${manyOf.versioned}) (\\d{1,3}\\.\\d{2,3})(?![\\w%]|\\.\\d)`, "g"),
    (_, name = "", version = "") => `${name} ${points(version)}`,
  ],
];

export const phones: readonly Rule[] = [
  [
    /(?<![\w+])\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,5}(?:[ -]\d{2,5}){0,4}(?![\w-])/g,
    (found) => `plus ${digitByDigit(found)}`,
  ],
  [/(?<![\w-])(?:\(\d{3}\) ?|\d{3}[ -])\d{3}-\d{4}(?![\w-])/g, digitByDigit],
  [/(?<=\b(?:call|dial|phone|tel\.?|number|at) )\d{3}-\d{4}(?![\w-])/gi, digitByDigit],
  [/(?<![\w-])1-\d{3}-\d{3}-\d{4}(?![\w-])/g, digitByDigit],
  [/(?<![\w-])555-\d{4}(?![\w-])/g, digitByDigit],
];

const decimal = "\\d{1,12}(?:[.,]\\d{1,9}){0,4}";

export const plainNumbers: readonly Rule[] = [
  // 5_000, and 1.000,50 as much of Europe writes it.
  [/(?<=\d)_(?=\d{3}(?!\d))/g, ""],
  [/(?<=\d)['’\u00a0\u202f\u2009](?=\d{3}(?!\d))/g, ","],
  [
    /(?<![\d.,])(\d{1,3}(?:\.\d{3}){1,4}),(\d{1,2})(?![\d,])/g,
    (_, whole = "", part = "") => `${whole.replaceAll(".", ",")}.${part}`,
  ],
  [
    /(?<![\w.])(\d{1,9}(?:\.\d{1,9})?)e([+-]?)(\d{1,3})(?!\w)/gi,
    (_, number = "", sign = "", power = "") =>
      `${number} times 10 to the ${sign === "-" ? "minus " : ""}${power}`,
  ],
];

/** From one number to another one: what stands before and behind them may be a unit or a currency. */
export const ranges: readonly Rule[] = [
  [
    /(?<![\w.,])([$€£¥])(\d(?:[\d.,]{0,11}\d)?) ?[–-] ?(?=\d[\d.,]{0,12}(?:[kKMB]|bn)?(?![\w-]))/g,
    (_, sign = "", from = "") => `${from} to ${sign}`,
  ],
  [/(?<=[$€£¥]\d(?:[\d.,]{0,11}\d)?[kMB]?) ?[–-] ?(?=[$€£¥]\d)/g, " to "],
  [/(?<=\d ?%|\d ?°[CF]?) ?– ?(?=[-−]?\d)|(?<=\d%)(?:-(?=\d)| - (?=\d{1,3}%))/g, " to "],
  [new RegExp(`(?<![\\w.,/:-])(-?${decimal}) ?– ?(?=-?\\d)`, "g"), (_, from = "") => `${from} to `],
  // With a hyphen it may be anything: two numbers, the second one larger, or a year and its next.
  [
    /(?<![\w.,/:–-])(\d{1,9}(?:[.,]\d{1,6}){0,2})-(\d{1,9}(?:[.,]\d{1,6}){0,2})(?![\d-]|[A-Z_]|\/|[.,]\d| ?= ?)/g,
    (found, from = "", to = "") => (isRange(from, to) ? `${from} to ${to}` : found),
  ],
  [
    /(?<![\w.,/:-])(\d{1,9}) - (\d{1,9})(?![\w.,]?\d| ?[=+*/-])/g,
    (found, from = "", to = "") => (isRange(from, to) ? `${from} to ${to}` : found),
  ],
  [/(?<=\d(?:st|nd|rd|th)) ?– ?(?=\d)|(?<=\b\d{4}) ?– ?(?=present\b|now\b|today\b)/g, " to "],
  [
    new RegExp(`\\b(${manyOf.months})\\.? ?[–-] ?(${manyOf.months})\\b\\.?`, "g"),
    (_, from = "", to = "") => `${manyOf.month(from)} to ${manyOf.month(to)}`,
  ],
  // From one time of the day to another one.
  [/(?<=\b[AP] M) ?[–-] ?(?=[a-z\d])/g, " to "],
  [
    /\b([A-Z])[–-]([A-Z])\b(?![–-])/g,
    (found, from = "", to = "") => (from < to ? `${from} to ${to}` : found),
  ],
  [
    new RegExp(`\\b(${manyOf.weekdays})\\.? ?[–-] ?(${manyOf.weekdays})\\b\\.?`, "g"),
    (_, from = "", to = "") => `${manyOf.weekday(from)} to ${manyOf.weekday(to)}`,
  ],
];

function isRange(from: string, to: string): boolean {
  const [one, other] = [from, to].map((number) => Number(number.replaceAll(",", "")));
  const isYears = /^\d{4}$/.test(from) && /^\d\d$/.test(to) && Number(from.slice(2)) < Number(to);
  return isYears || (one ?? 0) < (other ?? 0);
}

export const fractions: readonly Rule[] = [
  [/(?<=\d) ?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])/g, (_, sign = "") => andFraction(...ofSign(sign))],
  [/[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]/g, (sign) => fraction(...ofSign(sign))],
  [
    /(?<=(?<![\d.,/])\d{1,4}) ([1-7])\/([2-8])(?![\w/])/g,
    (_, above = "", below = "") => andFraction(above, below),
  ],
  [
    /\b(step|page|part|test|attempt|try|round|level|slide|task|chapter|question)s? (\d{1,4})\/(\d{1,4})(?![\w/])/gi,
    (found) => found.replace("/", " of "),
  ],
  [/(?<![\w.,/+-])(\d{1,4})\/(\d{1,4})(?![\w/]|[.,]\d)/g, overSlash],
  [/(?<![\w.,/])(\d{1,2}\.\d{1,2})\/(5|10|20|100)(?![\w/]|[.,]\d)/g, "$1 out of $2"],
  [
    /(?<=\b(?:an?|the|another|each|every|this|that) )an? (?=(?:third|quarter|fifth|sixth|eighth|sixteenth)\b)/gi,
    "",
  ],
  [/(?<![\w.])(\d{1,2})'(\d{1,2})(?:"|”|'')/g, "$1 foot $2"],
  // The only quotation mark of a sentence ends no quotation.
  [/(?<=\d|½|quarters?|eighths?|half)"(?<=^[^"]{0,400}")(?![^"]{0,400}")/g, " inch"],
];

/** "10x", and what is so long by so wide. */
export const factors: readonly Rule[] = [
  [/(?<=\d)x ?[–-] ?(?=\d{1,4}(?:\.\d{1,2})?x(?!\w))/g, " to "],
  [
    /(?<![\w.])(\d{1,6}(?:\.\d{1,4})?)(?: ?[x×] ?(?=\d{1,6}(?:\.\d{1,4})?(?: ?[x×] ?\d| ?(?:cm|mm|m|km|px|in|ft)\b)))/g,
    "$1 by ",
  ],
  [/(?<![\w.])(\d{1,6}(?:\.\d{1,4})?)[x×](?=\d)/g, "$1 by "],
  // In "2x + 3" it is a letter.
  [/(?<![\w.]|[=+*] ?)(\d{1,6}(?:\.\d{1,4})?)[x×](?!\w| ?[=+*^²³]| [-−] ?\d)/g, "$1 times"],
];

/** Not the time of day that they look like. */
export const scales: readonly Rule[] = [
  [
    /(?<=\b(?:scale|ratio|odds|aspect|proportion)s?(?: ratio)?(?: of| is|:)? )(\d{1,6}):(\d{1,6})(?![\w:])/gi,
    "$1 to $2",
  ],
];

export const ratios: readonly Rule[] = [[/(?<![\w.:/])(\d{1,4}):(\d)(?![\w:]|\.\d)/g, "$1 to $2"]];

export const numbered: readonly Rule[] = [
  [/\bNo\. ?(?=\d)/g, "number "],
  [/\bNos\. ?(?=\d)/g, "numbers "],
  [/(?<![\w&/])#(?=\d{1,7}(?!\w))/g, "number "],
];

/** All numbers of a text in words, as a recogniser that writes no digits hears them. Pure. */
export const numbersInWords = (text: string): string =>
  text
    .replace(/(?<=\d)\.(\d{1,12})/g, (_, digits: string) => ` point ${[...digits].join(" ")}`)
    .replace(/\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,12}/g, (digits) => {
      const number = Number(digits.replaceAll(",", ""));
      return /^(?:1[1-9]|20)[1-9]\d$/.test(digits) ? yearWords(number) : largeWords(number);
    });

const yearWords = (year: number): string =>
  `${numberWords(Math.floor(year / 100))} ${numberWords(year % 100)}`;

function largeWords(number: number): string {
  for (const [size, name] of sizes) {
    if (number < size) continue;
    const rest = number % size;
    return `${largeWords(Math.floor(number / size))} ${name}${rest === 0 ? "" : ` ${largeWords(rest)}`}`;
  }
  return numberWords(number);
}

const sizes: readonly (readonly [number, string])[] = [
  [1e9, "billion"],
  [1e6, "million"],
  [1000, "thousand"],
  [100, "hundred"],
];
