import { manyOf, months } from "./english.ts";
import { numberWords, ordinalWords } from "./numbers.ts";
import type { Rule } from "./rules.ts";

const minuteWords = (minute: number): string =>
  `${minute > 0 && minute < 10 ? "oh " : ""}${numberWords(minute)}`;

/** "fourteen oh five", "nine o'clock", "midnight". */
function time(hour: string, minute: string, isInRange = false): string {
  const [h, m] = [Number(hour), Number(minute)];
  if (m > 0) return `${numberWords(h)} ${minuteWords(m)}`;
  if (h % 24 === 0) return "midnight";
  if (isInRange && h <= 12) return numberWords(h);
  return h <= 12 ? `${numberWords(h)} o'clock` : `${numberWords(h)} hundred`;
}

const halfDay = (half: string): string => (half === "" ? "" : ` ${half.charAt(0).toUpperCase()} M`);

/** With half of the day behind it, an hour is said alone. */
const timeOf = (hour: string, minute: string, half: string, isInRange = false): string =>
  half !== "" && minute === "00"
    ? numberWords(Number(hour)) + halfDay(half)
    : time(hour, minute, isInRange) + halfDay(half);

function date(year: string, month: string, day: string): string {
  const name = months[Number(month) - 1];
  const words = `${name} ${ordinalWords(Number(day))}`;
  return year === "" ? words : `${words}, ${year}`;
}

const isDay = (month: string, day: string): boolean =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;

function zone(sign: string): string {
  if (sign === "") return "";
  if (sign === "Z") return " U T C";
  const [, way, hours = "", minutes = ""] = /^([+-])(\d\d):?(\d\d)$/.exec(sign) ?? [];
  return ` U T C ${way === "-" ? "minus" : "plus"} ${numberWords(Number(hours))}${minutes === "00" ? "" : ` ${numberWords(Number(minutes))}`}`;
}

const hour = "([01]?\\d|2[0-4])";
const minute = "([0-5]\\d)";
/** The dot of "p.m." may end a sentence: the last one of "5 p.m." and of "5 pm." stays. */
const halfName = "([AaPp])(?:[Mm]\\b|\\.[Mm]\\b(?:\\.(?! [A-Z]|$))?)";
const half = `(?: ?${halfName}(?!\\w))?`;

export const dates: readonly Rule[] = [
  // 2026-11-26T14:05:00Z
  [
    /(?<![\w.-])(\d{4})-(\d\d)-(\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?(?![\w:])/g,
    (found, year = "", month = "", day = "", hours = "", minutes = "", where = "") =>
      isDay(month, day) ? `${date(year, month, day)}, at ${time(hours, minutes)}${zone(where)}` : found,
  ],
  [
    /(?<![\w./-])(\d{4})-(\d\d)-(\d\d)(?![\w/-])/g,
    (found, year = "", month = "", day = "") => (isDay(month, day) ? date(year, month, day) : found),
  ],
  // 26.11.2026; with slashes only where the day cannot be the month.
  [
    /(?<![\w./-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\w/-])/g,
    (found, day = "", month = "", year = "") => (isDay(month, day) ? date(year, month, day) : found),
  ],
  [
    /(?<![\w./-])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\w/-])/g,
    (found, one = "", other = "", year = "") => {
      if (Number(one) > 12 && isDay(other, one)) return date(year, other, one);
      return isDay(one, other) ? date(year, one, other) : found;
    },
  ],
  [
    new RegExp(
      `(?<=\\b(?:${manyOf.months})\\.? \\d{1,2}(?:, \\d{4})?) ?[–-] ?(?=(?:${manyOf.months})\\.? \\d)`,
      "g",
    ),
    " to ",
  ],
  [
    new RegExp(`(?<=\\b\\d{1,2} )(${manyOf.shortMonths})\\b(?:\\.(?=,| [^A-Z]))?`, "g"),
    (_, name = "") => manyOf.month(name),
  ],
  // "In May 5 people came" has no date.
  [
    new RegExp(
      `(?<!\\b[Ii]n )\\b(${manyOf.months})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?: ?[–-] ?(\\d{1,2})(?:st|nd|rd|th)?)?(?![\\w:/%]|[.,]\\d)`,
      "g",
    ),
    (found, name = "", day = "", last = "") => {
      if (Number(day) < 1 || Number(day) > 31 || Number(last) > 31) return found;
      return `${manyOf.month(name)} ${ordinalWords(Number(day))}${last === "" ? "" : ` to ${ordinalWords(Number(last))}`}`;
    },
  ],
  [/(?<=(?<![\w-])[12]\d{3})s?[–-](?=[12]\d{3}s?(?![\w-]))/g, " to "],
];

export const times: readonly Rule[] = [
  [
    /(?<=\b(?:UTC|GMT))([+-])0?(\d{1,2})(?::([0-5]\d))?(?!\d)/g,
    (_, sign = "", hours = "", minutes = "00") =>
      ` ${sign === "+" ? "plus" : "minus"} ${hours}${minutes === "00" ? "" : ` ${minutes}`}`,
  ],
  // 5–7 pm
  [
    new RegExp(
      `(?<![\\w.:/–-])(1[0-2]|[1-9])(?::${minute})? ?[–-] ?(?=(?:1[0-2]|[1-9])(?::[0-5]\\d)? ?[ap]\\.?m\\b)`,
      "gi",
    ),
    (_, hours = "", minutes = "00") => `${time(hours, minutes, true)} to `,
  ],
  [
    new RegExp(`(?<![\\w.:/])${hour}:${minute}${half} ?[–-] ?${hour}:${minute}${half}(?![\\w:]|\\.\\d)`, "g"),
    (_, h1 = "", m1 = "", half1 = "", h2 = "", m2 = "", half2 = "") =>
      `${timeOf(h1, m1, half1, true)} to ${timeOf(h2, m2, half2, true)}`,
  ],
  [
    new RegExp(`(?<![\\w.:/])${hour}:${minute}:${minute}(?![\\w:]|\\.\\d)`, "g"),
    (_, hours = "", minutes = "", seconds = "") =>
      `${numberWords(Number(hours))} ${minuteWords(Number(minutes))} and ${numberWords(Number(seconds))} seconds`,
  ],
  [
    new RegExp(`(?<![\\w.:/])${hour}:${minute}${half}(?![\\w:]|\\.\\d)`, "g"),
    (_, hours = "", minutes = "", which = "") => timeOf(hours, minutes, which),
  ],
  // 9–5 pm, 3pm
  [
    new RegExp(`(?<![\\w.:])(1[0-2]|[1-9]) ?${halfName}`, "g"),
    (_, hours = "", which = "") => `${numberWords(Number(hours))}${halfDay(which)}`,
  ],
];
