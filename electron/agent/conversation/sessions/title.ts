export const untitled = "New conversation";

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

/** Of a meeting, until there is a better one. @param at when it began, milliseconds since the epoch */
export const meetingTitle = (at: number): string => `Meeting, ${day.format(at)} ${clock.format(at)}`;

const mostChars = 48;

/** Whole words of the first line, at most 48 UTF-16 units. */
export function titleOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const words = line.trim().replaceAll(/\s+/g, " ");
  if (words.length <= mostChars) return words;
  const lastSpace = words.lastIndexOf(" ", mostChars - 1);
  const cut = words.slice(0, lastSpace > 20 ? lastSpace : mostChars - 1);
  // Half of a character that takes two units is none.
  return `${cut.replace(/\p{Cs}$/u, "")}…`;
}
