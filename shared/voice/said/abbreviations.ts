import { ordinalWords } from "./numbers.ts";
import type { Rule } from "./rules.ts";

/** Before a number. */
const counted: ReadonlyMap<string, string> = new Map(
  "fig:figure figs:figures eq:equation vol:volume ch:chapter sec:section p:page pp:pages min:minimum max:maximum avg:average"
    .split(" ")
    .map((pair): [string, string] => {
      const [short = "", long = ""] = pair.split(":");
      return [short, long];
    }),
);

/** "Chapter IV", "World War II"; a lone letter may be anything. */
const beforeNumerals =
  "Chapter|Part|Volume|Vol\\.|Book|Act|Scene|Section|Article|Appendix|Title|Phase|Type|Class|Stage|Level|Grade|Tier|World War|Super Bowl|Figure|Table";
const rulers =
  "Henry|Elizabeth|Louis|Charles|George|Edward|William|James|Richard|Paul|Benedict|Pius|Leo|Gregory|Innocent|Catherine|Frederick|Friedrich|Wilhelm|Napoleon|Nicholas|Alexander|Philip|Ferdinand|Ramses|Ramesses";
const numeral = "X{0,3}(?:IX|IV|V?I{0,3})";

function numeralValue(letters: string): number {
  const values = [...letters].map((letter) => ({ I: 1, V: 5, X: 10, L: 50 })[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

/** What is written short, and said in full. */
export const shortWords: readonly Rule[] = [
  [/\be\.g\.,?/gi, "for example"],
  [/\bi\.e\.,?/gi, "that is"],
  [/\ba\.k\.a\./gi, "also known as"],
  [/\bcf\.(?= )/g, "compare"],
  [/\bvs\.?(?= )/g, "versus"],
  [/\bapprox\.(?= )/g, "approximately"],
  [
    new RegExp(`(?<!\\d )\\b(${[...counted.keys()].join("|")})\\. ?(?=\\d)`, "gi"),
    (_, short = "") => `${counted.get(short.toLowerCase())} `,
  ],
  // "Baker St.", and not "St. Louis".
  [/(?<=\b[A-Z][a-z]{1,20} )St(?:\.(?=[\s,;)])(?! [A-Z])|(?=\.$))/g, "Street"],
  [/\bWW(I{1,2})\b/g, (_, letters = "") => `World War ${letters.length}`],
  [
    new RegExp(
      `\\b((?:${beforeNumerals})(?= V\\b| [IVXL]{2})|(?:${beforeNumerals.toLowerCase()})(?= [IVXL]{2})) (L?${numeral})\\b`,
      "g",
    ),
    (_, name = "", letters = "") => `${name} ${numeralValue(letters)}`,
  ],
  [/\bWorld War I\b/g, "World War 1"],
  [
    new RegExp(`\\b(${rulers}) (?=[IVX]{2}|V\\b)(${numeral})\\b`, "g"),
    (_, name = "", letters = "") => `${name} the ${ordinalWords(numeralValue(letters))}`,
  ],
];
