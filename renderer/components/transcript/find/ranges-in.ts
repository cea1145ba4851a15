import { finderOf } from "../../../../shared/conversation/find-text.ts";

/** A piece of a block: a text of the page, or a formula, which is marked as a whole. */
interface Piece {
  node: Node;
  text: string;
  isWhole: boolean;
}

/** What is no part of what is read: buttons, and what says so of itself. */
const besides = "[data-beside], .btn, .visually-hidden, textarea, svg, [data-footnotes] > h2";

/** Elements that stand in a line; all others begin a block. */
const inLine: ReadonlySet<string> = new Set([
  ...["a", "b", "bdi", "br", "code", "del", "em", "i", "img", "input", "kbd", "mark", "small", "span"],
  ...["strong", "sub", "sup", "time"],
]);

/** All places of a text in what a row shows, also where it goes over several elements: the places that `itemFinder` counts. */
export function rangesIn(row: Element, sought: string): Range[] {
  const find = finderOf(sought);
  if (!find) return [];
  return blocksIn(row).flatMap((block) => {
    const text = textOf(block);
    return find(text).map(({ from, to }) => rangeOf(block, from, to));
  });
}

/** What is read in a row, block by block. */
export const textsIn = (row: Element): string[] => blocksIn(row).map(textOf);

const textOf = (block: readonly Piece[]): string => block.map(({ text }) => text).join("");

function blocksIn(row: Element): Piece[][] {
  const blocks: Piece[][] = [];
  let block: Piece[] = [];
  const endBlock = () => {
    if (textOf(block).trim() !== "") blocks.push(block);
    block = [];
  };
  const read = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) block.push({ node, text: node.nodeValue ?? "", isWhole: false });
    if (!(node instanceof Element) || node.matches(besides)) return;
    // Its TeX is kept beside what is drawn.
    const tex = node.matches(".katex") ? node.querySelector("annotation")?.textContent : undefined;
    if (tex) {
      block.push({ node, text: tex, isWhole: true });
      return;
    }
    const isBlock = !inLine.has(node.localName) || node.matches(".katex-display");
    if (isBlock) endBlock();
    node.childNodes.forEach(read);
    if (isBlock) endBlock();
  };
  read(row);
  endBlock();
  return blocks;
}

function rangeOf(block: readonly Piece[], from: number, to: number): Range {
  const range = document.createRange();
  let at = 0;
  for (const { node, text, isWhole } of block) {
    const end = at + text.length;
    if (at <= from && from < end) {
      if (isWhole) range.setStartBefore(node);
      else range.setStart(node, from - at);
    }
    if (at < to && to <= end) {
      if (isWhole) range.setEndAfter(node);
      else range.setEnd(node, to - at);
    }
    at = end;
  }
  return range;
}
