import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { linesOf } from "../environment/text-content.ts";

/** Parts of files have no last line of their own: that a text ends without a line break says nothing. */
const withoutEndMarks = (patch: string) => patch.replaceAll("\n\\ No newline at end of file", "").trimEnd();

/** Nothing else goes on meanwhile. */
const partTimeoutMs = 500;

/** What changes from one text to the other, for people to read; where comparing takes too long, all of both. */
export const unifiedDiff = (path: string, before: string, after: string): string =>
  partDiff(path, path, before, after);

/** A file that is written as a whole, as a diff. */
export const additions = (path: string, content: string): string => partDiff("/dev/null", path, "", content);

function partDiff(from: string, to: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(from, to, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
    timeout: partTimeoutMs,
  });
  return withoutEndMarks(patch ?? bothWhole(from, to, before, after));
}

function bothWhole(from: string, to: string, before: string, after: string): string {
  const removed = linesOf(before).map((line) => `-${line}`);
  const added = linesOf(after).map((line) => `+${line}`);
  const range = (lines: readonly string[]) => `${lines.length === 0 ? 0 : 1},${lines.length}`;
  const head = [`--- ${from}`, `+++ ${to}`, `@@ -${range(removed)} +${range(added)} @@`];
  return [...head, ...removed, ...added].join("\n");
}

/** Longer ones are not worth the wait: whoever shows the call has the call itself. */
const diffTimeoutMs = 2000;

/**
 * What changes in a whole file.
 * @param to where it is not the same path
 * @throws Error where comparing takes too long
 */
export function fileDiff(path: string, before: string, after: string, to = path): string {
  const patch = createTwoFilesPatch(path, to, before, after, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
    timeout: diffTimeoutMs,
  });
  if (patch === undefined) throw new Error("The files differ too much to be compared.");
  return patch.replace(/\n$/, "");
}
