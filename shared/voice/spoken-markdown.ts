import type { ListItem, Nodes, RootContent, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { restoreMarks, shallowMarkdown } from "../conversation/markdown-depth.ts";

/** One block of Markdown as lines to be said. */
export interface SpokenBlock {
  /** Where it begins in the source, in UTF-16 units. */
  start: number;
  /** What it is in Markdown. */
  type: RootContent["type"];
  segments: { text: string }[];
  /** Whether what it says so far stays as it is while it goes on. */
  isStable: boolean;
}

/** Tables with more are only mentioned. */
const maxTableRows = 6;
const maxTableColumns = 4;

const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/**
 * The blocks of `markdown`, what a reader would say of each: code is named, links lose their addresses, struck words are left out.
 * The words are as they are written. Pure.
 */
export function spokenSegments(markdown: string): SpokenBlock[] {
  const tree = fromMarkdown(shallowMarkdown(markdown), options);
  restoreMarks(tree);
  return tree.children.map((node) => ({
    start: node.position?.start.offset ?? 0,
    type: node.type,
    segments: linesOf(node).map((text) => ({ text })),
    isStable: isStable(node),
  }));
}

/** More text changes what a table says, and may show that a paragraph is one. */
function isStable(node: RootContent): boolean {
  return node.type !== "table" && node.type !== "html" && node.type !== "definition";
}

function linesOf(node: RootContent): string[] {
  switch (node.type) {
    case "paragraph":
    case "heading":
      return [inline(node)];
    case "code":
      return ["A code block."];
    case "blockquote":
    case "listItem":
      return node.children.flatMap(linesOf);
    case "list":
      return node.children.flatMap((item, index) => {
        const [first = "", ...rest] = linesOf(item);
        const number = node.ordered ? `${(node.start ?? 1) + index}: ` : "";
        return [number + taskSign(item) + first, ...rest];
      });
    case "table":
      return tableLines(node);
    default:
      return [];
  }
}

/** Whether a task is done, without words. */
const taskSign = ({ checked }: ListItem): string => (checked == null ? "" : checked ? "☑ " : "☐ ");

function tableLines(table: Table): string[] {
  const [head, ...rows] = table.children.map((row) => row.children.map(inline));
  if (!head || rows.length === 0) return ["A table."];
  if (rows.length > maxTableRows || head.length > maxTableColumns) {
    return [`A table with ${rows.length} rows: ${head.join(", ")}.`];
  }
  return rows.map((cells) => `${cells.map((cell, index) => labelled(head[index], cell)).join(", ")}.`);
}

const labelled = (label: string | undefined, cell: string) => (label ? `${label}: ${cell}` : cell);

/** What stands in a line, without its marks. */
function inline(node: Nodes): string {
  switch (node.type) {
    case "text":
      return node.value.replace(/\n/g, " ");
    case "inlineCode":
      return node.value;
    case "break":
      return " ";
    case "image":
      return node.alt ? `an image: ${node.alt}` : "an image";
    case "html":
    case "delete":
      return "";
    case "footnoteReference":
      // As it is read while nothing is known of the note.
      return `[^${node.label ?? node.identifier}]`;
    default:
      return "children" in node ? node.children.map(inline).join("") : "";
  }
}
