import { codeWord, spelledOut } from "./english.ts";
import type { Rule } from "./rules.ts";

/** The words of a name in code: HttpRequestBuilder, get_user_by_id, dry-run. */
export function nameWords(name: string): string {
  const words = name.match(/[A-Z]{1,32}(?![a-z])|[A-Z]?[a-z]{1,64}|\d{1,32}/g) ?? [];
  return words.map(codeWord).join(" ");
}

/** Names of files, hosts and modules: the dots are said. */
export const dotted = (name: string): string =>
  name
    .split(".")
    .map((part) => (/^[\w-]*$/.test(part) ? nameWords(part) : part))
    .join(" dot ")
    .trim();

/** A name with small and capital letters that no brand has: "userId", "HttpRequestBuilder", not "GitHub" or "iPhone". */
const camel =
  "(?!\\w{1,40}OS\\b|mmHg\\b)(?:[a-z][a-z0-9]{1,40}(?:[A-Z][a-z][a-z0-9]{0,40}|[A-Z]{2,10}(?=[A-Z][a-z]|\\b))(?:[A-Z][a-z0-9]{0,40}){0,12}|(?:[A-Z]{1,8}[a-z0-9]{1,40}){3,12})";

const flagName = "[A-Za-z][\\w-]{0,60}";

export const codeNames: readonly Rule[] = [
  [/(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi, "a U U I D"],
  [/(?<!\w)0x([0-9a-f]{1,16})(?!\w)/gi, (_, digits = "") => `hex ${spelledOut(digits)}`],
  [
    /(\b(?:commit|hash|sha|revision|checksum) )?(?<![\w.@#$/-])(?=[a-f]{0,60}\d)(?=\d{0,60}[a-f])[0-9a-f]{7,128}(?![\w-])/g,
    (found, before = "") => hash(found, found.slice(before.length), before),
  ],
  // --dry-run, --port=3000, -la
  [
    new RegExp(`(?<![\\w-])--(?:no-)?(${flagName})(=)?`, "g"),
    (found, _name = "", sign = "") => `dash dash ${nameWords(found.replace("=", ""))}${sign && " equals "}`,
  ],
  [
    /(?<=^|[\s("'“])(?<![=+*/<>] )-([A-Za-z]{1,3})(?![\w-]|'\w)/g,
    (_, letters = "") => `dash ${spelledOut(letters)}`,
  ],
  [/(?<=\S)--(?=\S)|(?<=\s)--(?=\s)/g, ", "],
  // $HOME, ${HOME}, %PATH%, API_KEY
  [/(?<![\w$])\$\{?([A-Za-z_]\w{0,60})\}?(?!\$)/g, (_, name = "") => `dollar ${nameWords(name)}`],
  [/(?<![\w%])%([A-Za-z_]\w{0,60})%/g, (_, name = "") => `percent ${nameWords(name)}`],
  [
    /(?<![\w.])([a-zA-Z])\(([^()\n]{1,30})\)(?!\w)/g,
    (found, name = "", of = "") => (isEnding(of) ? found : `${name} of ${of}`),
  ],
  // get_user_by_id(user_id): what it is called with is seen, and not said.
  [
    /(?<![\w.])((?:[A-Za-z_]\w{0,60}\.){0,6}[A-Za-z_]\w{0,60})\((?:[\w.$, ]{0,80})\)/g,
    (found, name = "") => (isCalled(name, found) ? dotted(name) : found),
  ],
  [
    /(?<![\p{L}\p{N}_])_{0,2}[A-Za-z][A-Za-z0-9]{0,40}(?:_{1,2}[A-Za-z0-9]{1,40}){1,20}_{0,2}(?![\p{L}\p{N}_]|\.[\p{L}_])(?<!_)/gu,
    nameWords,
  ],
  [new RegExp(`(?<![\\w.@/-])(?:${camel})(?![\\w-]|\\.[\\w])`, "g"), nameWords],
];

function hash(found: string, digits: string, before: string): string {
  const isHash = (digits.match(/\d/g) ?? []).length >= 2 && (digits.match(/[a-f]/g) ?? []).length >= 2;
  return isHash ? `${before === "" ? "hash " : before}${spelledOut(digits.slice(0, 4))}` : found;
}

/** "the file(s)" is no call. */
const isCalled = (name: string, found: string): boolean => !isEnding(found.slice(name.length + 1, -1));
const isEnding = (given: string): boolean => /^(?:e?s|ren|he|ish|[ivx]{2,6})$/.test(given);

/** Signs that stand between things in code. */
export const codeSigns: readonly Rule[] = [
  [/ ?(?:===?) ?/g, " equals "],
  [/ ?(?:!==?|≠) ?/g, " is not "],
  [/(?<=[\w)\]\s]) ?&& ?(?=[\w(!"'\s-])/g, " and "],
  [/(?<=[\w)\]\s]) ?\|\| ?(?=[\w(!"'\s-])/g, " or "],
  [/(?<=[\p{L}\p{N})\]"'] ?)(?:->|=>|[→⇒➜]) ?(?=[\p{L}\p{N}(["'])/gu, " to "],
  [/(?<=\w)\+\+(?=[\s;,.)]|$)/g, " plus plus"],
  [/\+=(?<=(?:^|\s)\w{0,40} ?\+=) ?(?=\w)/g, " plus equals "],
  [/(?<=\w )-= ?(?=\w)/g, " minus equals "],
  // What stands for "not" is never lost.
  [/(?<=^|[\s(])!(?=[A-Za-z_(])(?!important\b)/g, "not "],
  [/(?<=[\w)\]"'])\?\.(?=[a-z_[(])/g, " question dot "],
  [/(?<=[\w)\]"']) \?\? (?=[a-z\d("'[{])/g, " or else "],
  [/(?<=\S) \| (?=[a-z"'\d])/g, " pipe "],
  [/(?<=\bSELECT )\*|(?<=\()\*(?=\))/gi, "star"],
];

/** A sign that is talked about: it stands alone. */
const signNames: ReadonlyMap<string, string> = new Map([
  [";", "semicolon"],
  ["{", "open brace"],
  ["}", "close brace"],
  ["{}", "braces"],
  ["[", "open bracket"],
  ["]", "close bracket"],
  ["[]", "brackets"],
  ["()", "parentheses"],
  ["|", "pipe"],
  ["*", "star"],
  ["\\", "backslash"],
  ["/", "slash"],
  ["^", "caret"],
  ["~", "tilde"],
  ["_", "underscore"],
  ["`", "backtick"],
  ["@", "at"],
  ["#", "hash"],
  ["$", "dollar"],
  ["%", "percent"],
]);

export const signsAlone: readonly Rule[] = [
  [
    /(?<=\b(?:an?|the|sign|character|symbol|of|or|and|with|use|type|add|missing) )([;{}[\]()|*\\/^~_`@#$%]{1,2})(?=[\s,.?!]|$)/gi,
    (found) => signNames.get(found) ?? found,
  ],
];

/** Languages and tools with signs in their names. */
export const namesWithSigns: readonly Rule[] = [
  [
    /(?<![\w/])#(?=[0-9a-f]{0,7}\d?[a-f])([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})(?!\w)/gi,
    (found, digits = "") =>
      /\d/.test(digits) || /^([a-f])\1+$/i.test(digits) ? `hex ${spelledOut(digits)}` : found,
  ],
  [/\bAT&T\b/g, "A T and T"],
  [/\b([A-G])#(?![\w#])/g, "$1 sharp"],
  [/\b([Cc])\+\+(?![\w+])/g, "C plus plus"],
  [/(?<![\w.])\.NET\b/g, "dot net"],
  [
    /(?<![\w&/#])#(?=[\p{L}_])([\p{L}\p{N}_]{1,80})/gu,
    (_, name = "") => `hashtag ${/^[\w]+$/.test(name) ? nameOf(name) : name}`,
  ],
  [
    /(?<![\w.@/])@([\w-]{1,60})(?:\/([\w.-]{0,59}\w))?(?![\w@])/g,
    (_, name = "", rest = "") => `at ${nameOf(name)}${rest === "" ? "" : ` slash ${dotted(rest)}`}`,
  ],
];

/** As it is written where it is one word, however its letters look. */
const nameOf = (name: string): string => (/^[a-z]+$|^[A-Z][a-z]+$/.test(name) ? name : nameWords(name));
