import type { ApprovalItem, ToolItem } from "../../../shared/conversation/transcript-items.ts";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import { type FileDiff, readDiff } from "./diff-lines.ts";

/**
 * What a call changed in files: as it was seen before it ran, else as far as its input says it.
 * @returns null where the call changes none
 */
export function editDiff(
  { name, input, output, diff: told }: ToolItem,
  approvals: readonly ApprovalItem[] = [],
): FileDiff[] | null {
  const asked = approvals.findLast(({ diff }) => diff !== undefined)?.diff;
  const diff = told ?? asked ?? diffOfInput(name, input, output);
  return diff === null ? null : readDiff(visibleText(diff));
}

function diffOfInput(name: string, input: unknown, output: string): string | null {
  if (typeof input !== "object" || input === null) return null;
  const text = (key: string): string | null => {
    const value = Reflect.get(input, key);
    return typeof value === "string" ? value : null;
  };
  const path = text("path");
  if (name === "edit_file" && path !== null) {
    const [before, after] = [text("old_string"), text("new_string")];
    if (before === null || after === null) return null;
    return replacement(path, before, after, Number(/\(line (\d+)\)/.exec(output)?.[1] ?? 1));
  }
  if (name === "write_file" && path !== null) {
    const content = text("content");
    // What was there before is not known: it is no new file.
    if (output.startsWith("Replaced ")) return null;
    return content === null ? null : replacement(path, "", content, 1);
  }
  const patch = text("patch");
  return name === "apply_patch" && patch !== null ? ofPatch(patch) : null;
}

/** One text in the place of another, as a diff of one hunk; what both begin and end with stays. */
function replacement(path: string, before: string, after: string, line: number): string {
  const [old, next] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, next.length);
  let head = 0;
  while (head < most && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const body = [
    ...old.slice(0, head).map((text) => ` ${text}`),
    ...old.slice(head, old.length - tail).map((text) => `-${text}`),
    ...next.slice(head, next.length - tail).map((text) => `+${text}`),
    ...old.slice(old.length - tail).map((text) => ` ${text}`),
  ];
  const file = path.replaceAll("\n", " ");
  const hunk = `@@ -${line},${old.length} +${line},${next.length} @@`;
  return [`--- ${file}`, `+++ ${file}`, hunk, ...body].join("\n");
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}

/** The patch's own heads say which file; its lines have the signs of a diff. */
function ofPatch(patch: string): string {
  const parts: string[] = [];
  let body: string[] = [];
  const endBody = () => {
    const counts = (sign: string) => body.filter((line) => line.startsWith(sign)).length;
    const same = body.length - counts("+") - counts("-");
    if (body.length > 0) parts.push(`@@ -1,${same + counts("-")} +1,${same + counts("+")} @@`, ...body);
    body = [];
  };
  for (const line of patch.split("\n")) {
    const [, kind, path] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    if (path !== undefined) {
      endBody();
      parts.push(`--- ${kind === "Add" ? "/dev/null" : path}`, `+++ ${path}`);
    } else if (/^[-+ ]/.test(line)) body.push(line);
    else if (line.startsWith("@@")) endBody();
  }
  endBody();
  return parts.join("\n");
}
