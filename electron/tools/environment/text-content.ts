import { grouped } from "../../../shared/grouped.ts";
/**
 * The text of a file's bytes, a byte order mark included: what is written back must be what was read.
 * @param cut whether more follows: the last character may be half there
 * @returns null for what is not UTF-8 text
 */
export function textOf(bytes: Uint8Array, cut = false): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}

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
