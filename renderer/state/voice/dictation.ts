/** Text with words put into it, and where the cursor stands behind them. */
export interface Inserted {
  text: string;
  caret: number;
}

/**
 * Puts spoken words into a text, with a blank on each side where one is missing. Pure.
 * @param at UTF-16 units from the start; beyond the end counts as the end
 */
export function insertWords(text: string, at: number, words: string): Inserted {
  const before = text.slice(0, at);
  const after = text.slice(at);
  const said = words.trim();
  if (said === "") return { text, caret: before.length };
  const gapBefore = before === "" || /\s$/.test(before) ? "" : " ";
  const gapAfter = after === "" || /^[\s.,;:!?)\]]/.test(after) ? "" : " ";
  return {
    text: `${before}${gapBefore}${said}${gapAfter}${after}`,
    caret: before.length + gapBefore.length + said.length,
  };
}
