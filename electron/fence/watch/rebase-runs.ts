import type { Dirent } from "node:fs";
import { readFileIn } from "../../files/file-content.ts";
import { openBelow } from "../../files/folder-below.ts";
import { type HeldFolder, release, statsIn } from "../../files/held-folder.ts";
import type { Work } from "../../files/work.ts";

/** A line of a rebase's list that runs a program. */
export interface RebaseRun {
  /** Of the list; relative to the folder. */
  path: string;
  line: string;
}

/** One line that has no other: two lists that say the same say the same line. */
export const runKey = ({ path, line }: RebaseRun): string => `${path}\n${line}`;

/** Bytes; a longer list was written by nobody. */
const maxList = 1_000_000;
/** `exec`, which may be shortened to `x`. Source: git-rebase(1), and git's sequencer.c. */
const execLine = /^[ \t]*(?:exec|x)(?:[ \t\r].*)?$/;
/** Of a list that cannot be read as one. */
const anything = "(anything)";

/** Whether it is the list of a rebase that goes on, or a link that leads to one. */
export const isRebaseList = (entry: Dirent): boolean =>
  entry.name === "git-rebase-todo" || (entry.name === "rebase-merge" && entry.isSymbolicLink());

/** @param root the working folder, held open @param path relative to it @returns the lines that run programs */
export function* rebaseRuns(root: HeldFolder, path: string): Work<string[]> {
  const names = path.split("/");
  const name = names.pop() ?? "";
  try {
    const held = yield* openBelow(root, names);
    try {
      const stats = yield* statsIn(held, name);
      if (!stats) return [];
      if (!stats.isFile() || stats.size > maxList) return [anything];
      const { bytes } = yield* readFileIn(held, name, stats, maxList);
      return bytes
        .toString("utf8")
        .split("\n")
        .filter((line) => execLine.test(line));
    } finally {
      yield* release(held);
    }
  } catch {
    // It is gone, as after the last of its steps; or nobody can read it.
    return [];
  }
}
