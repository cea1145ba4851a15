import { dotted } from "./code.ts";
import type { Rule } from "./rules.ts";

/** A web address as it stands in a text, without the full stop of its sentence. */
export const webAddress = /\b(?:[a-z][a-z+]{1,15}:\/\/(?=\w)|www\.)[^\s<>]{0,4000}[^\s<>.,;:!?)\]"'”’*_`~]/gi;

/** Nor with who is signed in. */
const withoutScheme = (address: string): string =>
  address.replace(/^[a-z+]{2,16}:\/\/(?:[^/?#]{1,200}@)?/i, "");

const hostOf = (address: string): string =>
  (withoutScheme(address).split(/[/?#:]/)[0] ?? "").replace(/^www\./i, "");

/** In a language without words for it: where it leads is enough. */
export const addressesAsHosts: readonly Rule[] = [[webAddress, hostOf]];

const port = "(?::(\\d{1,5}))?";
const toPort = (number: string): string => (number === "" ? "" : ` port ${number}`);
const octet = "(?:25[0-5]|2[0-4]\\d|1?\\d{1,2})";

const topLevels =
  "com|org|net|edu|gov|io|dev|app|ai|co|uk|de|fr|eu|us|ca|at|ch|nl|it|es|pl|jp|cn|in|info|biz|me|tv|cloud|example|test|local|xyz|online|site";

export const addresses: readonly Rule[] = [
  [
    webAddress,
    (address) => {
      const host = hostOf(address);
      const isNumbers = /^[\d.]+$/.test(host);
      const [, number = ""] = /^[^/?#:]{1,255}:(\d{1,5})(?!\w)/.exec(withoutScheme(address)) ?? [];
      return `a link to ${isNumbers ? host.split(".").join(" dot ") : dotted(host)}${toPort(number)}`;
    },
  ],
  [
    /(?<![\w.+-])([\w+-]{1,64}(?:\.[\w+-]{1,64}){0,6})@([\w-]{1,63}(?:\.[\w-]{1,63}){1,5})(?!\w)/g,
    (_, name = "", host = "") => `${written(name)} at ${written(host)}`,
  ],
  [
    new RegExp(
      `(?<![\\w.])(${octet}\\.${octet}\\.${octet}\\.${octet})${port}(?:/(\\d{1,2}))?(?![\\w]|\\.\\d)`,
      "g",
    ),
    (_, address = "", number = "", bits = "") =>
      `${address.split(".").join(" dot ")}${toPort(number)}${bits === "" ? "" : ` slash ${bits}`}`,
  ],
  [
    /(?<![\w:.])(?=[0-9a-f:]{3,39}(?![\w:]))(?:(?:[0-9a-f]{1,4}:){1,7}|:):(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi,
    (found) => (/\d/.test(found) ? "an I P version 6 address" : found),
  ],
  [/(?<![\w:.])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, "an I P version 6 address"],
  [/\blocalhost:(\d{1,5})(?!\w)/g, "localhost port $1"],
  [/(?<=\s|^):(\d{2,5})(?=[\s,.]|$)/g, "port $1"],
  [
    new RegExp(
      `(?<![\\w.@/-])((?:[a-z0-9-]{1,63}\\.){1,4}(?:${topLevels}))(?:/[^\\s,;)"']{0,2000})?${port}(?![\\w/-]|\\.\\w)`,
      "g",
    ),
    (_, host = "", number = "") => `${written(host)}${toPort(number)}`,
  ],
];

/** A name that people know stays one word. */
const written = (name: string): string =>
  name
    .replaceAll(".", " dot ")
    .replaceAll("_", " underscore ")
    .replaceAll("+", " plus ")
    .replaceAll("-", " dash ");
