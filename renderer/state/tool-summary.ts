/** Longest line shown beside a tool's name, in UTF-16 units. */
const maxChars = 140;

/**
 * What a tool was asked for, in one line: its only text argument as it is, otherwise `name: value` pairs.
 * @param input whatever the model sent, however odd
 */
export function toolSummary(input: unknown): string {
  if (input === null || input === undefined) return "";
  if (typeof input !== "object") return oneLine(String(input));
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const [first] = entries;
  if (entries.length === 1 && first && typeof first[1] !== "object") return oneLine(String(first[1]));
  return oneLine(entries.map(([name, value]) => `${name}: ${plain(value)}`).join(" · "));
}

/** The input for the opened card: JSON, or text as it is. */
export const toolInputText = (input: unknown): string =>
  typeof input === "string" ? input : (JSON.stringify(input, null, 2) ?? "");

const plain = (value: unknown): string =>
  typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);

function oneLine(text: string): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
