import { grouped } from "../../../shared/grouped.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** UTF-16 where the byte order mark says so, else UTF-8. */
export function encodingOf([first, second, third, fourth]: Uint8Array): Encoding {
  // With two NULs behind it the same mark is of UTF-32.
  if (first === 0xff && second === 0xfe && (third !== 0 || fourth !== 0)) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/**
 * The text of a file's bytes, a byte order mark included: what is written back must be what was read.
 * @param cut whether more follows: the last character may be half there
 * @returns null for what is neither UTF-8 text nor UTF-16 with its mark
 */
export function textOf(bytes: Uint8Array, cut = false): string | null {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.includes(0)) return null;
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** The way back. UTF-16 without its mark would not be known again, nor with half a character in it. */
export function bytesOf(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf-8" || text === "") return Buffer.from(text, "utf8");
  const whole = withoutMark(text).replaceAll(/\p{Cs}/gu, "\ufffd");
  const bytes = Buffer.from(`\uFEFF${whole}`, "utf16le");
  return encoding === "utf-16be" ? bytes.swap16() : bytes;
}

/** So much of a file tells what it seems to be. */
const lookedAt = 10_000;

/** What a file that is not UTF-8 text seems to be, to be said right after that; blank for what is no text at all. */
export function seemingText(bytes: Uint8Array): string {
  const start = bytes.subarray(0, lookedAt);
  const seems = (name: string, from: string) =>
    `, but seems to be ${name} text, which \`iconv -f ${from} -t UTF-8\` converts`;
  const [first, second, third, fourth] = start;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return seems("UTF-32", "UTF-32");
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return seems("UTF-32", "UTF-32");
  if (encodingOf(start) !== "utf-8") return ", but seems to be UTF-16 text with broken characters";
  if (start.some(isBinary)) return "";
  if (!start.includes(0)) {
    const rest = bytes.subarray(bytes.findIndex((byte) => byte >= 0x80));
    const words = rest.subarray(0, lookedAt);
    const cut = rest.length > lookedAt;
    if (isNearlyUtf8(words, cut))
      return ", but nearly: a few of its characters are broken, and `iconv -c -f UTF-8 -t UTF-8` leaves them out";
    const told = encodingsByLetters.find((encoding) => isIn(encoding, words, cut));
    if (told) return seems(told.name, told.from);
    if (isLatin(words)) return seems("Latin-1 or Windows-1252", "WINDOWS-1252");
    return ", but seems to be text in an encoding that Parley can't tell: `iconv -f ENCODING -t UTF-8` converts it, with GB18030, BIG5, WINDOWS-1251, KOI8-R or another as ENCODING";
  }
  // ASCII in UTF-16: nearly every other byte is a NUL.
  const nulsAt = (rest: number) => start.filter((byte, place) => byte === 0 && place % 2 === rest).length;
  const [even, odd] = [nulsAt(0), nulsAt(1)];
  if (bytes.length % 2 === 1 || Math.min(even, odd) > 0 || Math.max(even, odd) < start.length * 0.4)
    return "";
  const [name, from] = odd > 0 ? ["little-endian", "UTF-16LE"] : ["big-endian", "UTF-16BE"];
  return seems(`UTF-16 (${name}, without a byte order mark)`, from);
}

interface EncodingByLetters {
  name: string;
  /** What `iconv` calls it, with the letters that Windows adds. */
  from: string;
  letters: RegExp;
  /** At least so many of its characters beside ASCII are such letters. */
  share: number;
}

/** What text in another encoding has few of, or cannot be read as at all. */
const encodingsByLetters: readonly EncodingByLetters[] = [
  { name: "Shift_JIS", from: "CP932", letters: /[\u3041-\u30ff]/g, share: 0.3 },
  { name: "EUC-JP", from: "EUC-JP", letters: /[\u3041-\u30ff]/g, share: 0.3 },
  { name: "EUC-KR", from: "CP949", letters: /[가-힣]{2,}/g, share: 0.7 },
];
const fewestLetters = 3;

function isIn({ name, letters, share }: EncodingByLetters, bytes: Uint8Array, cut: boolean): boolean {
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(bytes, { stream: cut });
    const own = text.match(letters)?.join("").length ?? 0;
    return own >= fewestLetters && own >= beyondAscii(text) * share;
  } catch {
    return false;
  }
}

function isNearlyUtf8(bytes: Uint8Array, cut: boolean): boolean {
  const text = new TextDecoder().decode(bytes, { stream: cut });
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  return broken <= beyondAscii(text) * 0.2;
}

const beyondAscii = (text: string): number => text.match(/[^\0-\x7f]/gu)?.length ?? 0;

/** In Latin text, letters with marks stand alone or in pairs; in others', whole words are no ASCII. */
function isLatin(bytes: Uint8Array): boolean {
  const letters = bytes.filter((byte) => byte >= 0x80).length;
  const words = bytes.filter((byte, place) => byte >= 0x80 && (bytes[place - 1] ?? 0) < 0x80).length;
  return letters <= 2 * words;
}

/** Controls that stand in no text, in whatever encoding. */
const isBinary = (byte: number) => byte < 32 && !textBytes.has(byte);
const textBytes: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 27]);

/** Lines without their ends; a last line end begins no further line. */
export function linesOf(text: string): string[] {
  const lines = withoutMark(text).split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export const withoutMark = (text: string) => (text.startsWith("\uFEFF") ? text.slice(1) : text);

/** What most lines of the text end in; `\n` where there is nothing to go by. */
export function lineEnding(text: string): "\r\n" | "\n" {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** The number of the line, from 1, that the UTF-16 unit at `index` is in. */
export function lineNumber(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** `index`, or one less where it would cut through a character: half a one is no valid text for a model's API. */
export function cutBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

/** `1 line`, `2 lines`. */
export const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
