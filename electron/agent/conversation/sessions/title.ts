export const untitled = "New conversation";

/** Whole words of the first line, at most 48 characters. */
export function titleOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const words = line.trim().replaceAll(/\s+/g, " ");
  if (words.length <= 48) return words;
  const cut = words.slice(0, 48);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 20 ? cut.lastIndexOf(" ") : 47)}…`;
}
