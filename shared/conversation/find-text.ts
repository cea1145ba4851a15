/** Where a text stands in a conversation, and how often in that item. `key` is the item's. */
export interface FoundItem {
  key: string;
  count: number;
}

/** A place in a text, in UTF-16 units; `to` is behind its last one. */
export interface TextPlace {
  from: number;
  to: number;
}

/** Longest text that is looked for, in UTF-16 units. */
export const maxFindChars = 200;

/**
 * What finds a text in a block of what is read. Case makes no difference, nor does how much white space stands between
 * words: a page shows it as one blank. White space at the edges of a block is not read.
 * @returns null: there is nothing to look for
 */
export function finderOf(sought: string): ((block: string) => TextPlace[]) | null {
  if (sought.trim() === "") return null;
  const words = foldedText(sought).split(/\s+/);
  const pattern = new RegExp(
    words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+"),
    "g",
  );
  return (block) => {
    const folded = foldedText(block).trimEnd();
    pattern.lastIndex = folded.length - folded.trimStart().length;
    return Array.from(folded.matchAll(pattern), ({ 0: found, index }) => ({
      from: index,
      to: index + found.length,
    }));
  };
}

/** Lower case, of the same length: places stay what they are. */
export function foldedText(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (sign) =>
    sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign,
  ).join("");
}
