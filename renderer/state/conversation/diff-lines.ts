/** A part of a line; `isChanged`: it is what differs from the line that it takes the place of. */
interface DiffPart {
  text: string;
  isChanged: boolean;
}

export interface DiffLine {
  /** `skip`: lines that are the same were left out; `raw`: no part of a diff, shown as it is. */
  kind: "same" | "add" | "del" | "skip" | "raw";
  /** Of the file as it will be; of a removed line, as it was. null where there is none. */
  number: number | null;
  parts: readonly DiffPart[];
}

export interface FileDiff {
  path: string;
  /** Its name so far, where that changes. */
  from: string | null;
  lines: readonly DiffLine[];
  added: number;
  removed: number;
}

interface Hunk {
  oldLeft: number;
  newLeft: number;
  oldAt: number;
  newAt: number;
}

interface OpenFile extends FileDiff {
  lines: DiffLine[];
}

const nothing = "/dev/null";

/**
 * A unified diff, file by file. Which lines belong to a hunk is counted as its head says, so that no changed line can
 * pass for a head; what is no part of a diff stays as a line of its own: nothing is left out.
 */
export function readDiff(diff: string): FileDiff[] {
  const files: OpenFile[] = [];
  const lines = diff.split("\n");
  let hunk: Hunk | null = null;
  const open = (path: string, from: string | null) => {
    files.push({ path, from, lines: [], added: 0, removed: 0 });
    hunk = null;
  };
  const current = (): OpenFile => {
    if (files.length === 0) open("", null);
    return files.at(-1) as OpenFile;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (hunk && takeLine(current(), hunk, line)) continue;
    const next = lines[at + 1] ?? "";
    const begins = hunkHead(line);
    if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      const [was, is] = [pathIn(line), pathIn(next)];
      open(is === nothing ? was : is, was === is || was === nothing || is === nothing ? null : was);
      at++;
    } else if (line.startsWith("rename from ") && next.startsWith("rename to ")) {
      open(next.slice("rename to ".length), line.slice("rename from ".length));
      at++;
    } else if (begins) {
      const { lines: shown } = current();
      if (shown.length > 0 || begins.newAt > 1) shown.push({ kind: "skip", number: null, parts: [] });
      hunk = begins;
    } else if (line !== "" || at < lines.length - 1) current().lines.push(plain("raw", null, line));
  }
  for (const file of files) markWords(file.lines);
  return files;
}

/** What changes, with one line that stays on each side. */
export function nearChanges(file: FileDiff): FileDiff {
  const isChange = (line: DiffLine | undefined) => line?.kind === "add" || line?.kind === "del";
  const { lines: all } = file;
  const lines: DiffLine[] = [];
  let isSkipped = false;
  for (const [at, line] of all.entries()) {
    const isLeft =
      line.kind === "skip" || (line.kind === "same" && !isChange(all[at - 1]) && !isChange(all[at + 1]));
    if (!isLeft && isSkipped && lines.length > 0) lines.push({ kind: "skip", number: null, parts: [] });
    if (!isLeft) lines.push(line);
    isSkipped = isLeft;
  }
  return { ...file, lines };
}

const pathIn = (line: string) => line.slice(4).replace(/\t.*$/, "");

function hunkHead(line: string): Hunk | null {
  const [, oldAt, oldCount = "1", newAt, newCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  if (oldAt === undefined || newAt === undefined) return null;
  return { oldLeft: +oldCount, newLeft: +newCount, oldAt: +oldAt, newAt: +newAt };
}

/** @returns whether the line belongs to the hunk */
function takeLine(file: OpenFile, hunk: Hunk, line: string): boolean {
  const sign = line[0] ?? " ";
  const text = line.slice(1);
  if (sign === "\\" && file.lines.length > 0) return file.lines.push(plain("raw", null, line)) > 0;
  if (sign === "-" && hunk.oldLeft > 0) {
    hunk.oldLeft--;
    file.removed++;
    return file.lines.push(plain("del", hunk.oldAt++, text)) > 0;
  }
  if (sign === "+" && hunk.newLeft > 0) {
    hunk.newLeft--;
    file.added++;
    return file.lines.push(plain("add", hunk.newAt++, text)) > 0;
  }
  if (sign !== " " || hunk.oldLeft === 0 || hunk.newLeft === 0) return false;
  hunk.oldLeft--;
  hunk.newLeft--;
  hunk.oldAt++;
  return file.lines.push(plain("same", hunk.newAt++, text)) > 0;
}

const plain = (kind: DiffLine["kind"], number: number | null, text: string): DiffLine => ({
  kind,
  number,
  parts: [{ text, isChanged: false }],
});

/** Lines that take the place of others, one by one: what of each is another word is marked. */
function markWords(lines: DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const removed = countOf(lines, at, "del");
    const added = countOf(lines, at + removed, "add");
    for (let index = at; index < at + Math.min(removed, added); index++) {
      markPair(lines, index, index + removed);
    }
    at += Math.max(1, removed + added);
  }
}

function countOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let count = 0;
  while (lines[from + count]?.kind === kind) count++;
  return count;
}

function markPair(lines: DiffLine[], before: number, after: number): void {
  const [was, is] = [lines[before], lines[after]];
  if (!was || !is) return;
  const [old, next] = [words(was), words(is)];
  const most = Math.min(old.length, next.length);
  let head = 0;
  while (head < most && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  // Lines that have nothing in common are no versions of each other.
  if (head + tail === 0 || !old.some((word, at) => /\w/.test(word) && (at < head || at >= old.length - tail)))
    return;
  lines[before] = { ...was, parts: parted(old, head, tail) };
  lines[after] = { ...is, parts: parted(next, head, tail) };
}

const words = ({ parts }: DiffLine): string[] =>
  parts.flatMap(({ text }) => text.match(/\w+|\s+|[^\w\s]/gu) ?? []);

const parted = (all: readonly string[], head: number, tail: number): DiffPart[] =>
  [
    { text: all.slice(0, head).join(""), isChanged: false },
    { text: all.slice(head, all.length - tail).join(""), isChanged: true },
    { text: tail === 0 ? "" : all.slice(-tail).join(""), isChanged: false },
  ].filter(({ text }) => text !== "");
