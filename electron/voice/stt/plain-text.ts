/** The longest text of an utterance that is read, in UTF-16 units: ten minutes of speech have about half as much. */
export const maxUtteranceChars = 20_000;
/** The longest of a server's other texts, such as an error or the name of a device, in UTF-16 units. */
export const maxToldChars = 2000;

/**
 * A server's text as one line that shows all of itself: line ends and controls are spaces, and what is invisible or turns the
 * direction of reading is gone. Joiners stay where a script or an emoji needs them. Pure.
 * @param maxChars what is longer ends with “…”; UTF-16 units
 */
export function plainText(text: string, maxChars: number): string {
  const line = text
    // What is cut off anyway need not be read.
    .slice(0, maxChars * 2)
    .replaceAll(hidden, "")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** Whether a text that `plainText` made was longer. */
export const isCut = (text: string, maxChars: number): boolean =>
  // What would have been half a sign is left out, too.
  text.length >= maxChars - 1 && text.endsWith("…");

/** Of scripts that write with joiners: Arabic's, India's and their kin. */
const joining =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}";
/** What shows nothing by itself. A joiner behind a letter that joins or a picture, and one selector behind anything, belong to it. */
const hidden = new RegExp(
  [
    // Signs before numbers in Arabic are formats that are seen.
    "(?![\\u200C\\u200D\\uFE00-\\uFE0F\\u0600-\\u0605\\u06DD\\u070F\\u08E2])[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Noncharacter_Code_Point}]",
    `(?<![${joining}])\\u200C`,
    `(?<![${joining}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D`,
    "(?<=[\\uFE00-\\uFE0F])[\\uFE00-\\uFE0F]|^[\\uFE00-\\uFE0F]",
  ].join("|"),
  "gu",
);

/** All texts of a server's answer as `plainText`, at any depth, but for ids: they go back as they came. Pure. */
export function plainTexts(value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    if (/(?:^|_)id$/.test(name)) return value;
    return plainText(value, said.has(name) ? maxUtteranceChars : maxToldChars);
  }
  if (Array.isArray(value)) return value.map((one) => plainTexts(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainTexts(inner, key)]));
}

/** What the words of an utterance are called by one server or another. */
export const saidNames = ["text", "transcript", "utterance", "final"] as const;
const said: ReadonlySet<string> = new Set(saidNames);
