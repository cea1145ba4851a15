import type { ExecutionEnvironment } from "../../agent/ports/ports.ts";
import { lineEnding, linesOf, withoutMark } from "../environment/text-content.ts";
import { touchedPath } from "../environment/touched-path.ts";
import { readEditable } from "./editable-file.ts";
import { applyHunks } from "./patch-match.ts";
import { type Hunk, PatchError, type PatchSection } from "./patch-parse.ts";

/** One thing to do to a file, decided before anything is done. */
export type PatchStep =
  | { type: "write"; path: string; text: string; isNew: boolean }
  | { type: "delete"; path: string }
  | { type: "move"; path: string; to: string };

/**
 * Works out what a patch does, on copies: nothing is written. A later section sees what an earlier one did.
 * @throws PatchError, EnvironmentError when any of it cannot be done
 */
export async function stagePatch(
  sections: readonly PatchSection[],
  environment: ExecutionEnvironment,
): Promise<PatchStep[]> {
  const files = new StagedFiles(environment);
  const steps: PatchStep[] = [];
  for (const section of sections) {
    const path = touchedPath(section.path);
    files.mustHaveOneName(path);
    if (section.type === "add") {
      if (await files.exists(path)) throw new PatchError(`${path} is there already; update it instead.`);
      const text = section.lines.map((line) => `${line}\n`).join("");
      files.set(path, text);
      steps.push({ type: "write", path, text, isNew: true });
    } else if (section.type === "delete") {
      await files.mustBeFile(path);
      files.set(path, null);
      steps.push({ type: "delete", path });
    } else {
      steps.push(...(await update(section, path, files)));
    }
  }
  return steps;
}

async function update(
  { hunks, moveTo }: Extract<PatchSection, { type: "update" }>,
  path: string,
  files: StagedFiles,
): Promise<PatchStep[]> {
  const to = moveTo === undefined ? path : touchedPath(moveTo);
  const steps: PatchStep[] = [];
  if (to !== path) {
    if (await files.exists(to))
      throw new PatchError(`${path} cannot be moved to ${to}: that is there already.`);
    steps.push({ type: "move", path, to });
  }
  if (hunks.length > 0) {
    const before = await files.read(path);
    const after = patched(before, hunks, path);
    files.set(path, after);
    // A change that changes nothing still moves, and is no reason to write.
    if (after !== before) steps.push({ type: "write", path: to, text: after, isNew: false });
  } else await files.mustBeFile(path);
  if (to !== path) files.move(path, to);
  return steps;
}

/** The files as they will be, over the ones that are there. */
class StagedFiles {
  readonly #environment: ExecutionEnvironment;
  /** By path: what will be there. `from`: the file that is at another path now, unread. null: nothing. */
  readonly #files = new Map<string, { text: string } | { from: string } | null>();
  /** By where it leads: as it was called first. */
  readonly #names = new Map<string, string>();

  constructor(environment: ExecutionEnvironment) {
    this.#environment = environment;
  }

  set(path: string, text: string | null): void {
    this.#files.set(path, text === null ? null : { text });
  }

  /** By a link, or its whole path, a file would be read as it is and lose what was done to it by its first name. */
  mustHaveOneName(path: string): void {
    const real = this.#environment.leadsTo?.(path) ?? path;
    const name = this.#names.get(real) ?? path;
    this.#names.set(real, name);
    if (name !== path) throw new PatchError(`${name} and ${path} are one file. Call it by one name.`);
  }

  async exists(path: string): Promise<boolean> {
    const file = this.#files.get(path);
    return file === undefined ? await this.#environment.fileExists(path) : file !== null;
  }

  async read(path: string): Promise<string> {
    const file = this.#files.get(path) ?? { from: path };
    await this.mustBeFile(path);
    if ("text" in file) return file.text;
    return (await readEditable(file.from, this.#environment)).text;
  }

  async mustBeFile(path: string): Promise<void> {
    if (!(await this.exists(path))) throw new PatchError(`${path}: there is no such file.`);
    if (this.#files.has(path)) return;
    const { kind } = await this.#environment.stat(path);
    if (kind !== "file") throw new PatchError(`${path} is not a file.`);
  }

  move(path: string, to: string): void {
    this.#files.set(to, this.#files.get(path) ?? { from: path });
    this.#files.set(path, null);
  }
}

/** Changes lines and keeps the rest: the byte order mark, each line's own end, and whether the last one has one. */
function patched(before: string, hunks: readonly Hunk[], path: string): string {
  const text = withoutMark(before);
  const mark = before.slice(0, before.length - text.length);
  const lines = linesOf(text);
  const ends = [...text.matchAll(/\r?\n/g)].map(([end]) => end);
  const usual = lineEnding(text);
  const endsOpen = text !== "" && !text.endsWith("\n");
  const result = applyHunks(lines, hunks, path);
  const parts = result.map((line, index) => {
    const end = endsOpen && index === result.length - 1 ? "" : usual;
    if ("text" in line) return line.text + end;
    return (lines[line.from] ?? "") + (end === "" ? end : (ends[line.from] ?? end));
  });
  return mark + parts.join("");
}
