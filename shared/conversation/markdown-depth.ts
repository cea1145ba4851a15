/** Lists, quotes and footnotes in each other; nobody writes so many. */
export const maxMarkdownDepth = 50;

/**
 * Markdown whose lists and quotes lie in each other at most `maxMarkdownDepth` deep, or a few more: what would open further ones
 * is text. Parsers take time that grows with the square of the depth, and call themselves for each level. Everything stays at its
 * place: a character goes for one other, a blank that opens nothing. Pure; takes time in proportion to the text.
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
      const isOfList = /[ \t]$/.test(mark);
      return line.slice(0, index) + (isOfList ? rest.replace(/[ \t]/, noBreak) : noBreak + rest.slice(1));
    }
    return line;
  });
}

const noBreak = "\u00A0";

/** What a line may begin with, one by one: blanks, and what opens a quote, a list or a footnote. */
const opening = /[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\n]{1,999}\]:/.source;
const marks = new RegExp(opening, "gy");
/** One with fewer is not too deep. */
const deepLine = new RegExp(`^(?:${opening}){${maxMarkdownDepth / 2},}.*`, "gm");

/** A line across: nothing lies in it. */
const isRule = /^(?:-[ \t]*)+$|^(?:\*[ \t]*)+$/;
