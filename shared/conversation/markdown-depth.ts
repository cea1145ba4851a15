/** Lists, quotes and footnotes in each other; nobody writes so many. */
export const maxMarkdownDepth = 50;

/**
 * Markdown whose lists and quotes lie in each other at most `maxMarkdownDepth` deep, or a few more: what would open further ones
 * is text. Parsers take time that grows with the square of the depth, and call themselves for each level. Everything stays at its
 * place: a character goes for one other that opens nothing, until `restoreMarks`. Pure; takes time in proportion to the text.
 */
export function shallowMarkdown(markdown: string): string {
  return markdown.replaceAll(deepLine, (line: string) => {
    let depth = 0;
    for (const { 0: mark, index } of line.matchAll(marks)) {
      if (/[ \t]/.test(mark[0] ?? "")) {
        // What goes on in a list is indented by two columns at least.
        depth += mark === "\t" ? 2 : 0.5;
        continue;
      }
      depth++;
      if (depth <= maxMarkdownDepth) continue;
      const rest = line.slice(index);
      if (isRule.test(rest)) return line;
      // Of a list its blank, of a quote or a footnote its first character.
      const at = index + (/[ \t]$/.test(mark) ? mark.length - 1 : 0);
      const standIn = standIns.find(({ character }) => character === line[at])?.standIn ?? "";
      return line.slice(0, at) + standIn + line.slice(at + 1);
    }
    return line;
  });
}

/** A parsed node, of Markdown or of what is shown of it. */
interface ParsedNode {
  type: string;
  value?: unknown;
  children?: ParsedNode[];
}

/** Puts back, in a tree parsed from what `shallowMarkdown` gave, the characters that it replaced: code is copied as it was written. */
export function restoreMarks(tree: ParsedNode): void {
  if (typeof tree.value === "string") {
    tree.value = tree.value.replace(anyStandIn, (found) => {
      return standIns.find(({ standIn }) => standIn === found)?.character ?? found;
    });
  }
  for (const child of tree.children ?? []) restoreMarks(child);
}

/** Noncharacters of Unicode: no text has them, and they mean nothing in Markdown. */
const standIns = [
  { character: " ", standIn: "\uFDD0" },
  { character: "\t", standIn: "\uFDD1" },
  { character: ">", standIn: "\uFDD2" },
  { character: "[", standIn: "\uFDD3" },
] as const;
const anyStandIn = /[\uFDD0-\uFDD3]/g;

/** What a line may begin with, one by one: blanks, and what opens a quote, a list or a footnote. */
const opening = /[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\n]{1,999}\]:/.source;
const marks = new RegExp(opening, "gy");
/** One with fewer is not too deep. */
const deepLine = new RegExp(`^(?:${opening}){${maxMarkdownDepth / 2},}.*`, "gm");

/** A line across: nothing lies in it. */
const isRule = /^(?:-[ \t]*)+$|^(?:\*[ \t]*)+$/;
