/** Longest line shown beside a tool's name, in UTF-16 units. */
const maxChars = 140;

/** The argument that says what a call is about; the others are in the opened card. */
const tellingNames = ["path", "command", "url", "pattern", "question", "task", "agent_id"];

/**
 * What a tool was asked for, in one line: the argument that tells most, or its only one, as it is; otherwise
 * `name: value` pairs.
 * @param input whatever the model sent, however odd
 */
export function toolSummary(input: unknown): string {
  if (input === null || input === undefined) return "";
  if (typeof input !== "object") return oneLine(String(input));
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const telling = tellingNames.flatMap((name) => entries.filter(([key]) => key === name))[0];
  if (telling && typeof telling[1] === "string") return oneLine(telling[1]);
  const [first] = entries;
  if (entries.length === 1 && first && typeof first[1] !== "object") return oneLine(String(first[1]));
  return oneLine(entries.map(([name, value]) => `${name}: ${plain(value)}`).join(" · "));
}

/** What a running tool said last: its progress, or where a command is. */
export const latestLine = (output: string): string =>
  oneLine(
    output
      .slice(-maxChars * 4)
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1) ?? "",
  );

/** The input for the opened card: JSON, or text as it is. */
export const toolInputText = (input: unknown): string =>
  typeof input === "string" ? input : (JSON.stringify(input, null, 2) ?? "");

const plain = (value: unknown): string =>
  typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);

/** Shortened where it is long. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
