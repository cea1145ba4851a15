import { currencies, currencyCodes, large, units } from "./english.ts";
import type { Rule } from "./rules.ts";

const amount = "\\d{1,12}(?:,\\d{3}){0,4}(?:\\.\\d{1,4})?";
const times = "(?: ?(k|K|M|m|B|bn|mn|T)(?![\\w²³/])| (thousand|million|billion|trillion)\\b)?";

function money(sign: string, number: string, short: string, long: string): string {
  const [one, many, cent, cents] = currencies.get(sign) ?? ["", "", "", ""];
  const size = large.get(short) ?? long;
  if (size !== "") return `${number} ${size} ${many}`;
  const [whole = "", part = ""] = number.split(".");
  const units = `${whole} ${whole === "1" ? one : many}`;
  if (part.length !== 2 || cent === "") return number === "1" ? units : `${number} ${many}`;
  if (Number(part) === 0) return units;
  const rest = `${Number(part)} ${Number(part) === 1 ? cent : cents}`;
  return Number(whole) === 0 ? rest : `${units} and ${rest}`;
}

/** Behind it in one of these there are many of them, not metres. */
const counted =
  "users?|people|downloads|views|customers|subscribers|followers|records|rows|tokens|requests|lines|jobs|copies|visitors|dollars|euros|pounds|records|deaths|cases";

const unitOf = (name: string): readonly [string, string] | undefined => units.get(name);

function measure(number: string, name: string): string {
  const words = unitOf(name);
  if (!words) return `${number} ${name}`;
  return `${number} ${number === "1" ? words[0] : words[1]}`;
}

const names = [...units.keys()]
  .sort((one, other) => other.length - one.length)
  .map((name) => name.replace(/[/.]/g, "\\$&"));
const signs = [...currencies.keys()]
  .sort((one, other) => other.length - one.length)
  .map((sign) => sign.replaceAll("$", "\\$"));
const codes = [...currencyCodes.keys()].join("|");

/** Behind it no unit goes on. */
const unitEnd = "(?![\\p{L}\\p{N}_²³]|[-/][\\p{L}\\d])";

export const moneyAndUnits: readonly Rule[] = [
  // Europe's comma of a decimal.
  [
    new RegExp(`(?<![\\d.,])(\\d{1,6}),(\\d{1,2})(?= ?(?:[€%]|(?:${names.join("|")})${unitEnd}))`, "gu"),
    "$1.$2",
  ],
  [/ ?\/(?:1 ?)?([MK]) ?(?=tokens?\b)/g, (_, size = "") => ` per ${large.get(size)} `],
  [
    / ?\/(?<=\d ?[\p{L}€£¥%]{0,12} ?\/) ?(month|mo|year|yr|week|day|hour|hr|minute|second|person|user|seat|night|piece|token|request|call|image|page|item|min|kg|g|km|m|lb|oz|GB|MB|TB|kWh|[lL]|ml|mL|d[lL]|[ck]?m[²³])(?![\p{L}\p{N}/²³])/gu,
    (_, name = "") => ` per ${{ mo: "month", dL: "decilitre" }[name] ?? unitOf(name)?.[0] ?? name}`,
  ],
  [/(?<=\d ?[lL]) ?\/ ?(?=100 ?km\b)/g, " per "],
  // 1h 30m, 3m 20s
  [
    /(?<![\w.])(\d{1,3}) ?h ?(\d{1,2}) ?m(?:in)?(?!\w)/g,
    (_, hours = "", minutes = "") => `${measure(hours, "h")} ${measure(minutes, "min")}`,
  ],
  [/(?<=(?<!\w)\d{1,3}) ?m(?= ?\d{1,2} ?s(?!\w))/g, " min"],
  [/(?<![\w.])(10{2,3})s of\b/g, (_, many = "") => `${many === "100" ? "hundreds" : "thousands"} of`],
  [
    new RegExp(`(?<![\\p{L}$])(${signs.join("|")}) ?(${amount})${times}(?![\\d])`, "gu"),
    (_, sign = "", number = "", short = "", long = "") => money(sign, number, short, long),
  ],
  [
    new RegExp(`(?<![\\w.])(${amount})${times} ?([€£¥₹₽₩])`, "g"),
    (_, number = "", short = "", long = "", sign = "") => money(sign, number, short, long),
  ],
  [
    new RegExp(`\\b(${codes}) ?(${amount})${times}(?![\\d])`, "g"),
    (_, code = "", number = "", short = "", long = "") =>
      money(currencyCodes.get(code) ?? "", number, short, long),
  ],
  [
    new RegExp(`(?<![\\w.])(${amount})${times} (${codes})\\b`, "g"),
    (_, number = "", short = "", long = "", code = "") =>
      money(currencyCodes.get(code) ?? "", number, short, long),
  ],
  [/(?<=\d) ?¢/g, " cents"],
  [/(?<=\d) ?%/g, " percent"],
  [/(?<=\d) ?‰/g, " per mille"],
  [new RegExp(`(?<=\\d) ?[mM](?= (?:${counted})\\b)`, "g"), " million"],
  [/(?<![\w.])(\d{1,4}(?:\.\d{1,3})?)k(?![\w-]|\s(?:run|race|video|display|screen))/g, "$1 thousand"],
  [
    /(?<![\w.])(\d{1,4}(?:\.\d{1,3})?)(M|bn)(?![\w-])/g,
    (_, number = "", short = "") => `${number} ${large.get(short)}`,
  ],
  // The nineties, and people in their thirties.
  [/(?<=\b(?:the|his|her|their|my|your|early|late|mid)[ -]|['’])(\d0)s\b/gi, "$1's"],
  [/(?<=\d0's(?:,? and|,? or| to|,) )(\d0)s\b/g, "$1's"],
  [
    new RegExp(`(?<![\\w.])(\\d{1,12}(?:[.,]\\d{1,9}){0,4})-(${names.join("|")})(?![\\p{L}\\p{N}²³/])`, "gu"),
    (_, number = "", name = "") => `${number} ${unitOf(name)?.[0]}`,
  ],
  [
    new RegExp(
      `(?<![\\p{L}_.\\d])(\\d{1,12}(?:[.,]\\d{1,9}){0,4})([  ]?)(${names.join("|")})${unitEnd}`,
      "gu",
    ),
    (found, number = "", gap = "", name = "") =>
      isUnclear(number, gap, name) ? found : measure(number, name),
  ],
  [
    /(?<=\d[°′″] ?)([NSEW])(?!\w)/g,
    (_, way = "") => ` ${{ N: "north", S: "south", E: "east", W: "west" }[way]}`,
  ],
  [
    /(?<=\d)° ?(\d{1,2})[′'] ?(?:(\d{1,2}(?:\.\d{1,6})?)[″"] ?)?/g,
    (_, minutes = "", seconds) => ` degrees ${minutes} minutes ${seconds ? `${seconds} seconds ` : ""}`,
  ],
  [/(?<=\d) ?°(?!\p{L})/gu, " degrees "],
];

/** The 1990s, and "5m", whatever that is. */
function isUnclear(number: string, gap: string, name: string): boolean {
  if (gap !== "") return false;
  return (name === "s" && number.length >= 4) || (name === "l" && number === "1");
}
