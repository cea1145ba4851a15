/**
 * Words as a quotation in Markdown, with an empty line behind them.
 * @param before what stands in the text box: the quotation begins on a line of its own, one line below
 */
export function quoted(words: string, before: string): string {
  const lines = words.trim().split("\n");
  const quotation = lines.map((line) => (line.trim() === "" ? ">" : `> ${line.trimEnd()}`)).join("\n");
  return `${before.trim() === "" ? "" : "\n"}${quotation}\n\n`;
}
