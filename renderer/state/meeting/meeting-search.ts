import type { MeetingLine } from "../../../shared/conversation/meeting.ts";

/** The lines that have these words as they were typed, large or small. */
export function linesWith(lines: readonly MeetingLine[], typed: string): MeetingLine[] {
  const wanted = typed.trim().toLowerCase();
  return wanted === "" ? [] : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
}

/** A text cut where the words stand: every second part is one that was found. */
export function cutAt(text: string, typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const small = text.toLowerCase();
  // Some letters are longer in the other case: then no place in one is a place in the other.
  if (wanted === "" || small.length !== text.length) return [text];
  const parts: string[] = [];
  let from = 0;
  for (let at = small.indexOf(wanted); at >= 0; at = small.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
