/**
 * Scripts that are written without spaces between words, from the first to the last of their characters. The index takes a
 * run of letters for one word, and would find no more than the beginning of a whole sentence: each letter of these is a word
 * of its own there, and what is searched for is a phrase of them. Korean has spaces.
 * Source: Unicode 16, Blocks.txt.
 */
const ranges = [
  // Thai and Lao; Myanmar; Khmer; its symbols.
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x19e0, 0x19ff],
  // Radicals, kana and Bopomofo; their extensions; Han.
  [0x2e80, 0x312f],
  [0x3190, 0x31ff],
  [0x3400, 0x9fff],
  // More of Myanmar's letters, and of Han and kana.
  [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f],
  [0xf900, 0xfaff],
  [0xff66, 0xff9f],
  [0x1aff0, 0x1b16f],
  [0x20000, 0x3ffff],
] as const;

const escaped = (code: number) => `\\u{${code.toString(16)}}`;

/** One character of these scripts, as a regular expression with the flag `u` has it. */
export const spacelessClass = `[${ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join("")}]`;

const spacelessLetter = new RegExp(`(?=[\\p{L}\\p{N}\\p{Co}])${spacelessClass}`, "gu");

/** Begins with a letter of these scripts. */
export const beginsSpaceless = new RegExp(`^${spacelessClass}`, "u");

/** @returns the text with a space on both sides of every letter of these scripts */
export function withSpaces(text: string): string {
  if (text.search(spacelessLetter) < 0) return text;
  return text.normalize("NFC").replaceAll(spacelessLetter, " $& ");
}
