/** What a piece of code is, as far as its colour goes. `plain` has none of its own. */
export type CodeKind =
  | "plain"
  | "keyword"
  | "text"
  | "number"
  | "name"
  | "type"
  | "comment"
  | "added"
  | "removed";

/** One letter each, so that the marks of a line are one short string that compares cheaply. */
const letters = {
  plain: "p",
  keyword: "k",
  text: "s",
  number: "n",
  name: "f",
  type: "t",
  comment: "c",
  added: "a",
  removed: "d",
} as const satisfies Record<CodeKind, string>;

const kindOfLetter = new Map<string, CodeKind>(
  Object.entries(letters).map(([kind, letter]) => [letter, kind as CodeKind]),
);

/** A tree as highlighters give it: elements with class names, and text. */
export interface CodeNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly CodeNode[];
}

/**
 * The marks of each line: kinds and lengths in UTF-16 units, such as "k5p1f4".
 * @returns as many as the text of the tree has lines
 */
export function lineMarks(tree: CodeNode): string[] {
  const lines: string[] = [];
  let line = "";
  let last: { letter: string; length: number } | null = null;
  const flush = () => {
    if (last) line += last.letter + last.length;
    last = null;
  };
  const add = (text: string, kind: CodeKind) => {
    text.split("\n").forEach((part, index) => {
      if (index > 0) {
        flush();
        lines.push(line);
        line = "";
      }
      if (part === "") return;
      const letter = letters[kind];
      if (last?.letter === letter) last.length += part.length;
      else {
        flush();
        last = { letter, length: part.length };
      }
    });
  };
  const visit = (node: CodeNode, kind: CodeKind) => {
    if (node.type === "text") add(node.value ?? "", kind);
    const own = kindOf(node) ?? kind;
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(tree, "plain");
  flush();
  lines.push(line);
  return lines;
}

/** A line cut by its marks; what they do not reach, because it was written since, is plain. */
export function piecesOf(line: string, marks: string): { text: string; kind: CodeKind }[] {
  const pieces: { text: string; kind: CodeKind }[] = [];
  let from = 0;
  for (const [, letter = "", length = ""] of marks.matchAll(/([a-z])(\d+)/g)) {
    const text = line.slice(from, from + Number(length));
    from += Number(length);
    if (text !== "") pieces.push({ text, kind: kindOfLetter.get(letter) ?? "plain" });
  }
  if (from < line.length) pieces.push({ text: line.slice(from), kind: "plain" });
  return pieces;
}

/** By the names that highlight.js gives: https://highlightjs.readthedocs.io/en/latest/css-classes-reference.html */
const kinds: readonly (readonly [CodeKind, RegExp])[] = [
  ["comment", /^hljs-(comment|quote|meta|doctag)$/],
  ["keyword", /^hljs-(keyword|selector-tag|section|tag|name|operator|template-tag|strong|emphasis)$/],
  ["text", /^hljs-(string|regexp|char|link|symbol|bullet|code|formula|selector-attr|selector-pseudo)$/],
  ["number", /^hljs-(number|literal)$/],
  ["name", /^hljs-(title|attr|attribute|property|selector-id|selector-class)$/],
  ["type", /^hljs-(type|built_in|class|variable|template-variable)$/],
  ["added", /^hljs-addition$/],
  ["removed", /^hljs-deletion$/],
];

function kindOf({ properties }: CodeNode): CodeKind | null {
  const names: unknown[] = Array.isArray(properties?.className) ? properties.className : [];
  for (const name of names) {
    const found = kinds.find(([, pattern]) => typeof name === "string" && pattern.test(name));
    if (found) return found[0];
  }
  // Code within a string.
  return names.includes("hljs-subst") ? "plain" : null;
}
