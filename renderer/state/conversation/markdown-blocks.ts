import { Lexer } from "marked";
import remend from "remend";

/**
 * Cuts Markdown into its top-level blocks, so that only the block being written is parsed again with every delta.
 * Joined, the blocks are the text. A text with link definitions or footnotes stays whole: they act across blocks.
 */
export function markdownBlocks(text: string): string[] {
  const normal = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  if (/^ {0,3}\[[^\]\n]+\]:/m.test(normal)) return [normal];
  const blocks: string[] = [];
  for (const token of new Lexer({ gfm: true }).blockTokens(normal)) {
    const last = blocks.length - 1;
    // Blank lines belong to the block before them; a block of its own would be an empty element.
    if (token.type === "space" && last >= 0) blocks[last] += token.raw;
    else blocks.push(token.raw);
  }
  return blocks.join("") === normal ? blocks : [normal];
}

/**
 * The block that is still being written, without what would flash and change its looks a moment later: open
 * emphasis, code and links are closed, and a table waits until the line under its heading is there.
 */
export function settleBlock(block: string): string {
  return isTableHead(block) ? "" : remend(block, { linkMode: "text-only", katex: false, images: false });
}

function isTableHead(block: string): boolean {
  const [head, rule, ...more] = block.split("\n");
  if (head === undefined || !/^ {0,3}\|/.test(head) || more.length > 0) return false;
  return rule === undefined || /^[\s:|-]*$/.test(rule);
}
