export const untitled = "New conversation";

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
