import { greek } from "./english.ts";
import type { Rule } from "./rules.ts";

/** TeX between dollars: prices and variables of a shell have none of its signs, or no such ends. */
const formula =
  /\$\$([^$]{1,2000})\$\$|\$(?=\S)([^$]{0,300}[\\^_{=][^$]{0,300})(?<=\S)\$(?![\w{])|\\\(((?:(?!\\\().){1,600}?)\\\)|\\\[((?:(?!\\\[).){1,2000}?)\\\]/gs;

/** A longer one is seen, and not said: words. */
const maxFormulaWords = 24;

const superscripts: ReadonlyMap<string, string> = new Map(
  [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ"].map((sign, at) => [sign, [..."0123456789-+n"][at] ?? ""]),
);
const subscripts: ReadonlyMap<string, string> = new Map(
  [..."₀₁₂₃₄₅₆₇₈₉"].map((sign, at) => [sign, String(at)]),
);

function power(exponent: string): string {
  const number = exponent.trim().replace(/^\{|\}$/g, "");
  if (number === "2") return " squared";
  if (number === "3") return " cubed";
  return ` to the ${number.replace(/^[-−⁻] ?/, "minus ")}`;
}

const commands: ReadonlyMap<string, string> = new Map(
  "times:times cdot:times div:divided by pm:plus or minus le:at most leq:at most ge:at least geq:at least ne:is not equal to neq:is not equal to approx:is about equiv:is equivalent to infty:infinity to:to rightarrow:to Rightarrow:implies in:in sum:the sum of prod:the product of int:the integral of partial:partial ln:natural log log:log sin:sine cos:cosine tan:tangent lim:the limit of ldots:and so on dots:and so on quad: left: right: cup:union cap:intersection forall:for all exists:there is"
    .split(/ (?=\w+:)/)
    .map((pair): [string, string] => {
      const [name = "", words = ""] = pair.split(":");
      return [name, words.trim()];
    }),
);
const greekNames = new Set(greek.values());

/** TeX in words; null where a person would rather point at it. */
function texWords(tex: string): string | null {
  let said = tex;
  said = said.replace(
    /\\(int|sum|prod)\s?_(?:\{([^{}]{1,40})\}|(\w))\s?\^(?:\{([^{}]{1,40})\}|(\w|\\[a-z]{1,10}))/g,
    (_, name: string, from = "", one = "", to = "", other = "") =>
      ` ${(commands.get(name) ?? "").replace(" of", "")} from ${from}${one} to ${to}${other} of `,
  );
  // From the inside out: a part without braces of its own.
  for (let depth = 0; depth < 4; depth++) {
    said = said
      .replace(
        /\\(?:text|mathrm|mathbf|mathit|operatorname)\s?\{([^{}]{1,80})\}/g,
        (_, words: string) => ` “${words}” `,
      )
      .replace(/\\[dt]?frac\s?\{([^{}]{1,200})\}\s?\{([^{}]{1,200})\}/g, " $1 over $2 ")
      .replace(/\\sqrt\s?\{([^{}]{1,200})\}/g, " the square root of $1 ")
      .replace(/\^\{([^{}\\^_]{1,60})\}/g, (_, exponent: string) => `${power(exponent)} `)
      .replace(/_\{([^{}\\^_]{1,60})\}/g, " sub $1 ");
  }
  said = said
    .replace(/\^(-?\w)/g, (_, exponent: string) => `${power(exponent)} `)
    .replace(/_(\w)/g, " sub $1 ")
    .replace(
      /\\([A-Za-z]{1,20})/g,
      (found, name: string) =>
        ` ${commands.get(name) ?? (greekNames.has(name.toLowerCase()) ? name.toLowerCase() : found)} `,
    )
    .replace(/\\[,;:! ]/g, " ");
  if (/[\\{}^_&]/.test(said)) return null;
  const words = operators
    .reduce(
      (text, [find, name]) =>
        typeof name === "string" ? text.replace(find, name) : text.replace(find, name),
      said,
    )
    .replace(/(?<![\p{L}“])\p{L}{2,4}(?![\p{L}”])/gu, (name) =>
      knownWords.has(name) ? name : [...name].join(" "),
    )
    .replace(/(?<=\d)(?=\p{L})/gu, " ")
    .replace(/ - /g, " minus ")
    .replace(/[“”]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return words.split(" ").length > maxFormulaWords ? null : words;
}

/** Words that are no variables one after the other. */
const knownWords = new Set(
  `the of from to in by at is or and over plus sub the most log sum product integral all so on for sine ${[...greekNames].join(" ")} root half times least about`.split(
    " ",
  ),
);

const side = "[\\p{L}\\p{N})\\]]";
const sideNext = "[\\p{L}\\p{N}(\\[√$€£−.-]";

/** Signs between what is reckoned with. */
export const operators: readonly Rule[] = [
  [/([$€£¥])-(?=\d)/g, "minus $1"],
  [/ ?(?:<=|≤|⩽) ?/g, " at most "],
  [/ ?(?:>=|≥|⩾) ?/g, " at least "],
  [/ ?≠ ?/g, " is not equal to "],
  [/ ?± ?/g, " plus or minus "],
  [/ ?[×⋅] ?(?=\d|\p{L})/gu, " times "],
  [/(?<=[\p{L}\d] )· (?=\d)|(?<=\d)·(?=\d)/gu, "times "],
  [/ ?÷ ?/g, " divided by "],
  [/(?<=[\p{L}\p{N})] ?)(?<!\b(?:is|are|was|were|of|at|to|by|costs?) ?)≈ ?/gu, " is about "],
  [/(?:≈|(?<!\w)~) ?(?=[\d$€£])/g, "about "],
  [/(?<=[A-Z])~(?=\d)/g, " tilde "],
  [new RegExp(`(?<=${side}) ?= ?(?=${sideNext})`, "gu"), " equals "],
  [/(?<=[\d)]) ?\* ?(?=[\d(])|(?<=[\w)] )\* (?=\d|\(|[a-z](?!\w))/g, " times "],
  [/(?<=[\w)] )(?<!\b(?:an?|the|of|or|and|with|use|type|add|press) )\* (?=[a-z\d_])/gi, "times "],
  [/(?<=[\w)]) % (?=\d)/g, " modulo "],
  [/(?<=[\p{L}\p{N})%]) \+ (?=[\p{L}\p{N}(])|(?<=(?:\d|(?<!\w)[a-z]))\+(?=\d|[a-z](?!\w))/gu, " plus "],
  [/(?<=[\d)]) [-−–] (?=[\d(])|(?<=(?<![\w'’])[a-z]) [-–] (?=\d|[a-z](?![\w'’]))/g, " minus "],
  [/(?<=(?<![\w'’.-])[iknmtxyz])-(?=\d(?![\w-]))/g, " minus "],
  [/(?<=\d)[-−](?=\d{1,9} equals)/g, " minus "],
  [/(?<=\d[kKMB%]?)\+(?![\w+])/g, " plus"],
  [/(?<=[\d)]) ?\/ (?=[\d(])/g, " divided by "],
  // Between two letters too; between words it is a menu, a tag or a type.
  [/(?<!<)<(?= ?-?[$€£¥]?\.?\d)|(?<=\s)<(?=\s)|(?<=(?<!\w)[a-z])<(?=[a-z](?![\w>]))/g, " less than "],
  [
    /(?<![->=<])>(?= ?-?[$€£¥]?\.?\d)|(?<=[\w)] )>(?= [\d-])|(?<=(?<![\w<])[a-z] ?)>(?= ?[a-z](?!\w))/g,
    " greater than ",
  ],
  [/√ ?/g, " the square root of "],
  [/∞/g, " infinity "],
  [/∑ ?/g, " the sum of "],
  [/∫ ?/g, " the integral of "],
  [/∈/g, " in "],
  [/↑/g, " up "],
  [/↓/g, " down "],
  [/(?<=^|[\s([])\+(?=\d)/g, "plus "],
  // A number below zero.
  [
    /(?<=^|[\s([“"':,]|to |minus )[-−](?=(?:[$€£¥]|[A-Z]{1,2}\$)?\d|\.\d)|(?<= equals )- ?(?=[a-z\d])/g,
    "minus ",
  ],
];

/** Before anything else sees its signs. */
export const formulas: readonly Rule[] = [
  [
    formula,
    (_, block, inline, round, square) => texWords(block ?? inline ?? round ?? square ?? "") ?? "a formula",
  ],
];

export const powers: readonly Rule[] = [
  [
    /(?<=[\p{L}\d)])[⁺⁻]?[⁰¹²³⁴-⁹ⁿ]{1,6}/gu,
    (signs) => power([...signs].map((sign) => superscripts.get(sign)).join("")),
  ],
  [/[₀-₉]{1,6}/g, (signs) => ` ${[...signs].map((sign) => subscripts.get(sign)).join("")} `],
  [/(?<=[\w)])\^(?:\((-?\w{1,9})\)|(-?\w{1,9}))/g, (_, inner, exponent) => power(inner ?? exponent ?? "")],
  [/(?<=\d)\*\*(?=-?\d)/g, " to the "],
];

/** A Greek letter alone is one of mathematics; a word of them is Greek. */
export const greekLetters: readonly Rule[] = [
  [/(?<![\p{L}\p{M}])\p{Script=Greek}(?![\p{L}\p{M}])/gu, (letter) => greek.get(letter) ?? letter],
];
