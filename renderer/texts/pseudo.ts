const accented: Readonly<Record<string, string>> = Object.fromEntries(
  [..."aceinosuyzACEINOSUYZ"].map((letter, index) => [letter, [..."áčéíñóšúýžÁČÉÍÑÓŠÚÝŽ"][index] ?? letter]),
);

/** How much longer than English other languages may be. */
const growth = 0.4;

/**
 * The same texts in a language that nobody speaks: accented, longer, and in brackets. What stands on a page without
 * brackets did not come from the texts.
 */
export function pseudo<T>(text: T): T;
export function pseudo(text: unknown): unknown {
  if (typeof text === "string") return text.trim() === "" ? text : strange(text);
  if (typeof text === "function") return (...values: unknown[]) => pseudo(text(...values));
  if (Array.isArray(text)) return text.map(pseudo);
  if (!isPlain(text)) return text;
  return Object.fromEntries(Object.entries(text).map(([name, one]) => [name, pseudo(one)]));
}

function strange(text: string): string {
  const letters = text.replaceAll(/[a-z]/gi, (letter) => accented[letter] ?? letter);
  return `⟦${letters}${" ~".repeat(Math.ceil((text.length * growth) / 2))}⟧`;
}

/** Not so: the elements within a rich text. */
const isPlain = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !("$$typeof" in value);
