import { Lexer, Marked } from "marked";
import remend from "remend";
import { beforeOpenMath } from "../../../shared/conversation/math-marks.ts";

/**
 * Cuts Markdown into its top-level blocks, so that only the block being written is parsed again with every delta.
 * Joined, the blocks are the text. A text with link definitions or footnotes stays whole: they act across blocks.
 */
export function markdownBlocks(text: string): string[] {
  const normal = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  if (/^ {0,3}\[[^\]\n]+\]:/m.test(normal)) return [normal];
  const blocks: string[] = [];
  for (const token of new Lexer(withMath).blockTokens(normal)) {
    const last = blocks.length - 1;
    // Blank lines belong to the block before them; a block of its own would be an empty element.
    if (token.type === "space" && last >= 0) blocks[last] += token.raw;
    else blocks.push(token.raw);
  }
  return blocks.join("") === normal ? blocks : [normal];
}

/** A formula between lines of `$$` is one block, whatever its lines look like. */
const withMath = new Marked({
  gfm: true,
  extensions: [
    {
      name: "math",
      level: "block",
      start: (text) => /^ {0,3}\$\$\n/m.exec(text)?.index,
      tokenizer: (text) => {
        const raw = /^ {0,3}\$\$\n(?:[\s\S]*?\n {0,3}\$\$[ \t]*(?:\n+|$)|[\s\S]*$)/.exec(text)?.[0];
        return raw === undefined ? undefined : { type: "math", raw };
      },
    },
  ],
}).defaults;

/**
 * The block that is still being written, without what would flash and change its looks a moment later: open
 * emphasis, code and links are closed, a formula waits for its end, and a table for the line under its heading.
 */
export function settleBlock(block: string): string {
  return isTableHead(block)
    ? ""
    : remend(beforeOpenMath(block), { linkMode: "text-only", katex: false, images: false });
}

function isTableHead(block: string): boolean {
  const [head, rule, ...more] = block.split("\n");
  if (head === undefined || !/^ {0,3}\|/.test(head) || more.length > 0) return false;
  return rule === undefined || /^[\s:|-]*$/.test(rule);
}
