import { join } from "node:path";
import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import type { DirectoryEntry, ExecutionEnvironment, Tool } from "../agent/ports/ports.ts";
import { shownName } from "./environment/from-folder.ts";

const maxEntries = 1000;
const maxDepth = 8;

const input = z.object({
  path: z.string().default(".").describe("The folder. Default: the working folder."),
  depth: z
    .number()
    .int()
    .min(1)
    .max(maxDepth)
    .default(1)
    .describe(`How many levels to show, up to ${maxDepth}. 1 shows only what is directly in the folder.`),
});

/** One entry a line, folders first; what is in a folder stands below it, indented. */
export const listDirectoryTool: Tool<z.infer<typeof input>> = {
  name: "list_directory",
  description:
    "List the files and folders in a folder, with file sizes. Hidden files are included. With depth, subfolders are listed too, except .git and node_modules. To find files by name, use glob.",
  input,
  effect: "read",
  withPaths: (call, of) => ({ ...call, path: of(call.path) }),
  async run({ path, depth }, { environment, signal, hides = () => false }) {
    const root = await listing(path, environment, hides);
    if (root.length === 0) return { text: `${path} is empty.` };
    const { isCut } = await expand(root, path, depth, { environment, signal, hides });
    const lines = linesOf(root, 0);
    if (root.length > maxEntries) lines.push(`(${grouped(root.length - maxEntries)} more are not shown)`);
    else if (isCut)
      lines.push(`(only the first ${grouped(maxEntries)} entries; list a subfolder to see more)`);
    return { text: lines.join("\n") };
  },
};

interface Listed extends DirectoryEntry {
  /** Of a folder that was looked into. */
  inside?: Listed[];
}

interface Looking {
  environment: ExecutionEnvironment;
  signal: AbortSignal;
  hides(path: string): boolean;
}

/** Level by level, so that a large folder hides none of its neighbours. @returns whether something was left out */
async function expand(
  root: Listed[],
  path: string,
  depth: number,
  { environment, signal, hides }: Looking,
): Promise<{ isCut: boolean }> {
  let left = maxEntries - root.length;
  let level = [{ path, entries: root }];
  for (let at = 1; at < depth; at++) {
    const next: typeof level = [];
    for (const folder of level) {
      for (const entry of folder.entries) {
        if (entry.kind !== "directory" || notLookedInto.has(entry.name)) continue;
        signal.throwIfAborted();
        const below = join(folder.path, entry.name);
        // One that may not be read, or has gone meanwhile, is shown as it is.
        const entries = await listing(below, environment, hides).catch(() => null);
        if (!entries) continue;
        if (entries.length > left) return { isCut: true };
        left -= entries.length;
        entry.inside = entries;
        next.push({ path: below, entries });
      }
    }
    level = next;
  }
  return { isCut: false };
}

const notLookedInto: ReadonlySet<string> = new Set([".git", "node_modules"]);

async function listing(
  path: string,
  environment: ExecutionEnvironment,
  hides: Looking["hides"],
): Promise<Listed[]> {
  const found = await environment.listDirectory(path);
  return found.filter(({ name }) => !hides(join(path, name))).sort(byKindThenName);
}

function byKindThenName(a: DirectoryEntry, b: DirectoryEntry): number {
  const folders = Number(b.kind === "directory") - Number(a.kind === "directory");
  return folders || a.name.localeCompare(b.name, "en");
}

function linesOf(entries: readonly Listed[], level: number): string[] {
  return entries
    .slice(0, maxEntries)
    .flatMap((entry) => [`${"  ".repeat(level)}${line(entry)}`, ...linesOf(entry.inside ?? [], level + 1)]);
}

function line({ name: own, kind, size }: DirectoryEntry): string {
  const name = shownName(own);
  if (kind === "directory") return `${name}/`;
  if (kind === "symlink") return `${name} (link)`;
  return size === undefined ? name : `${name} (${grouped(size)} bytes)`;
}
