import { shortId } from "../../shared/conversation/sessions.ts";
import type { SessionStore } from "../agent/ports/session-store.ts";

type Tree = ReturnType<SessionStore["loadTree"]>;
type Node = Tree[number];

/**
 * The prompts and replies of a tree, one a line, indented where it branches. What is on the path has a filled mark.
 * @param path ids of the messages that count
 */
export function treeText(tree: Tree, path: ReadonlySet<string>): string {
  const children = new Map<string | null, Node[]>();
  for (const node of tree) {
    const siblings = children.get(node.parentId);
    if (siblings) siblings.push(node);
    else children.set(node.parentId, [node]);
  }
  const lines: string[] = [];
  // By hand: a path of ten thousand messages would be too deep for calls.
  const open = (children.get(null) ?? []).map((node) => ({ node, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (isShown(node)) lines.push(lineOf(node, depth, path));
    const below = children.get(node.id) ?? [];
    const deeper = below.length > 1 ? depth + 1 : depth;
    for (const child of below.toReversed()) open.push({ node: child, depth: deeper });
  }
  return lines.join("\n");
}

/** Tool results, summaries and replies of calls alone say nothing here. */
const isShown = ({ origin, role, text }: Node) =>
  role === "assistant" ? text !== "" : origin !== "tool" && origin !== "summary" && origin !== "system";

function lineOf({ id, role, text }: Node, depth: number, path: ReadonlySet<string>): string {
  const mark = path.has(id) ? "●" : "○";
  const words = text.length > shownChars ? `${text.slice(0, shownChars)}…` : text;
  return `${"  ".repeat(depth)}${mark} ${shortId(id)}  ${role === "user" ? "You" : "Parley"}: ${words}`;
}

const shownChars = 80;
