/** Signs that mean something and have no place in ASCII, as they are said; the longer ones first. */
const saidAs: readonly (readonly [sign: RegExp, words: string])[] = [
  [/[−‐‑]/g, "-"],
  [/\s*≠\s*/g, " is not equal to "],
  [/\s*≤\s*/g, " at most "],
  [/\s*≥\s*/g, " at least "],
  [/\s*≈\s*/g, " about "],
  [/\s*±\s*/g, " plus or minus "],
  [/\s*[×·⋅]\s*/g, " times "],
  [/\s*÷\s*/g, " divided by "],
  [/\s*[→⇒]\s*/g, " to "],
  [/√\s*/g, "the square root of "],
  [/∞/g, "infinity"],
  [/(?<=[\p{L}\d)])²/gu, " squared "],
  [/(?<=[\p{L}\d)])³/gu, " cubed "],
  [/(?<=\d)[⁺⁻]?[⁰¹²³⁴-⁹]+/g, " to the power of $& "],
  [/⁻/g, "-"],
  [/\s*°C\b/g, " degrees Celsius"],
  [/\s*°F\b/g, " degrees Fahrenheit"],
  [/\s*°/g, " degrees "],
  [/€\s?(\d[\d.,]*\d|\d)/g, "$1 euros"],
  [/£\s?(\d[\d.,]*\d|\d)/g, "$1 pounds"],
  [/€/g, " euros "],
  [/£/g, " pounds "],
  [/(?<=\d)\s*(?=[¼½¾⅓⅔⅛])/g, " and "],
  [/[µμ](?=[gmsl]\b)/g, "micro"],
];

/** Letters that are no letter with a mark. */
const letters: ReadonlyMap<string, string> = new Map(
  "ßss æae ÆAE œoe ŒOE øo ØO łl ŁL đd ĐD ðd þth ıi"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** A text in ASCII, for a voice that knows no more: letters lose their accents, signs become words, and others pauses. Pure. */
export function plainLetters(text: string): string {
  return saidAs
    .reduce((said, [sign, words]) => said.replace(sign, words), text.normalize("NFC"))
    .replace(/[ßæÆœŒøØłŁđĐðþı]/g, (letter) => letters.get(letter) ?? letter)
    .normalize("NFKD")
    .replace(/[‘’]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/…/g, "...")
    .replace(/⁄/g, "/")
    .replace(/\p{M}/gu, "")
    .replace(/\s*[–—]\s*/g, ", ")
    .replace(/[^\x20-\x7e]+/g, " ");
}
