import type { Nodes, RootContent, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";

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

/** The blocks of `markdown`, what a reader would say of each: code is named, links lose their addresses. Pure. */
export function spokenSegments(markdown: string): SpokenBlock[] {
  const tree = fromMarkdown(markdown, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
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
        return [number + first, ...rest];
      });
    case "table":
      return tableLines(node);
    default:
      return [];
  }
}

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
      return withoutAddresses(node.value);
    case "inlineCode":
      return node.value;
    case "break":
      return " ";
    case "image":
      return node.alt ? `an image: ${node.alt}` : "an image";
    case "html":
      return "";
    default:
      return "children" in node ? node.children.map(inline).join("") : "";
  }
}

/** Nobody reads an address aloud: where it leads is enough. Its last full stop is the sentence's. */
function withoutAddresses(text: string): string {
  return text
    .replace(/\b(?:https?:\/\/|www\.)[^\s<>]*[^\s<>.,;:!?)\]"'”’]/gi, (url) => `a link to ${hostOf(url)}`)
    .replace(/\n/g, " ");
}

function hostOf(url: string): string {
  const host = url.replace(/^https?:\/\//i, "").split(/[/?#:]/)[0] ?? "";
  return host.replace(/^www\./i, "");
}
