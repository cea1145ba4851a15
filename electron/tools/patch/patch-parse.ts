/**
 * The v4a patch format: sections of files between `*** Begin Patch` and `*** End Patch`.
 * Source: the coding-agent-loop specification, which took it from the format's first use in Codex.
 */
export type PatchSection =
  | { type: "add"; path: string; lines: string[] }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; moveTo: string | undefined; hunks: Hunk[] };

export interface Hunk {
  /** Lines to go to first, one below the other: what stands after `@@`. */
  hints: string[];
  lines: HunkLine[];
  /** The old lines are the file's last. */
  atEnd: boolean;
}

export interface HunkLine {
  kind: "keep" | "remove" | "add";
  text: string;
  /** An empty line without its leading blank: at the end of a hunk it may be no line of the file. */
  isBare?: boolean;
}

/** A patch that cannot be applied, in words that say what to mend. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}

/** @throws PatchError with the number of the line that is wrong */
export function parsePatch(patch: string): PatchSection[] {
  const lines = patch.split(/\r?\n/);
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  if (begin === -1) throw new PatchError('The patch must begin with the line "*** Begin Patch".');
  const end = lines.findLastIndex((line) => line.trim() === "*** End Patch");
  if (end < begin) throw new PatchError('The patch must end with the line "*** End Patch".');
  const reader = new Reader(lines, begin + 1, end);
  const sections: PatchSection[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line.trim() !== "") sections.push(parseSection(line, reader));
  }
  if (sections.length === 0) throw new PatchError("The patch changes no file.");
  return sections;
}

class Reader {
  readonly #lines: readonly string[];
  readonly #end: number;
  #at: number;

  constructor(lines: readonly string[], start: number, end: number) {
    this.#lines = lines;
    this.#at = start;
    this.#end = end;
  }

  peek(): string | undefined {
    return this.#at < this.#end ? this.#lines[this.#at] : undefined;
  }

  next(): string | undefined {
    const line = this.peek();
    if (line !== undefined) this.#at++;
    return line;
  }

  /** About the line that was read last. */
  fault(message: string): PatchError {
    return new PatchError(`Line ${this.#at} of the patch: ${message}`);
  }
}

const fileHeader = /^\*\*\* (Add|Delete|Update) File: *(.*?) *$/;
const moveHeader = /^\*\*\* Move to: *(.*?) *$/;

function parseSection(header: string, reader: Reader): PatchSection {
  const [, action, path] = fileHeader.exec(header) ?? [];
  if (action === undefined) {
    throw reader.fault('expected "*** Add File: ", "*** Delete File: " or "*** Update File: ".');
  }
  if (!path) throw reader.fault("the path is missing.");
  if (action === "Add") return { type: "add", path, lines: addedLines(reader) };
  if (action === "Delete") return { type: "delete", path };
  const move = moveHeader.exec(reader.peek() ?? "");
  if (move) reader.next();
  if (move && !move[1]) throw reader.fault("the path to move to is missing.");
  const hunks = parseHunks(reader);
  if (hunks.length === 0 && !move) throw reader.fault(`no change for ${path}.`);
  return { type: "update", path, moveTo: move?.[1], hunks };
}

function addedLines(reader: Reader): string[] {
  const lines: string[] = [];
  for (let line = reader.peek(); line !== undefined && !fileHeader.test(line); line = reader.peek()) {
    reader.next();
    if (line.startsWith("+")) lines.push(line.slice(1));
    else if (line.trim() !== "") throw reader.fault('every line of a new file begins with "+".');
  }
  return lines;
}

function parseHunks(reader: Reader): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  for (let line = reader.peek(); line !== undefined && !fileHeader.test(line); line = reader.peek()) {
    reader.next();
    if (line === "@@" || line.startsWith("@@ ")) {
      if (!hunk || hunk.lines.length > 0) {
        hunk = emptyHunk();
        hunks.push(hunk);
      }
      const hint = line.slice(3);
      if (hint.trim() !== "") hunk.hints.push(hint);
    } else if (line.trim() === "*** End of File") {
      if (!hunk) throw reader.fault("there is no change before it.");
      hunk.atEnd = true;
      hunk = undefined;
    } else {
      // Nothing has begun: an empty line belongs to no change.
      if (!hunk && line.trim() === "") continue;
      // The first hunk may do without its "@@".
      if (!hunk) {
        hunk = emptyHunk();
        hunks.push(hunk);
      }
      hunk.lines.push(hunkLine(line, reader));
    }
  }
  const empty = hunks.some(({ lines }) => !lines.some(({ kind }) => kind !== "keep"));
  if (empty) throw reader.fault('a change has no line that begins with "+" or "-".');
  return hunks;
}

const emptyHunk = (): Hunk => ({ hints: [], lines: [], atEnd: false });

function hunkLine(line: string, reader: Reader): HunkLine {
  const text = line.slice(1);
  if (line.startsWith("+")) return { kind: "add", text };
  if (line.startsWith("-")) return { kind: "remove", text };
  if (line.startsWith(" ")) return { kind: "keep", text };
  // Editors and models strip the blank of an empty line, and put empty lines between sections.
  if (line === "") return { kind: "keep", text: "", isBare: true };
  throw reader.fault('a line of a change begins with " ", "-" or "+".');
}
