import { join } from "node:path";
import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import type { DirectoryEntry, Tool } from "../agent/ports/ports.ts";

const maxEntries = 1000;

const input = z.object({
  path: z
    .string()
    .default(".")
    .describe("Folder, relative to the working folder. Default: the working folder."),
});

/** One entry a line, folders first. */
export const listDirectoryTool: Tool<z.infer<typeof input>> = {
  name: "list_directory",
  description: "Lists the files and folders in a folder, with the sizes of files.",
  input,
  effect: "read",
  async run({ path }, { environment, hides = () => false }) {
    const found = await environment.listDirectory(path);
    const entries = found.filter(({ name }) => !hides(join(path, name)));
    if (entries.length === 0) return { text: `${path} is empty.` };
    const lines = entries.sort(byKindThenName).slice(0, maxEntries).map(line);
    const more = entries.length - lines.length;
    if (more > 0) lines.push(`(${grouped(more)} more are not shown)`);
    return { text: lines.join("\n") };
  },
};

function byKindThenName(a: DirectoryEntry, b: DirectoryEntry): number {
  const folders = Number(b.kind === "directory") - Number(a.kind === "directory");
  return folders || a.name.localeCompare(b.name, "en");
}

function line({ name, kind, size }: DirectoryEntry): string {
  if (kind === "directory") return `${name}/`;
  if (kind === "symlink") return `${name} (link)`;
  return size === undefined ? name : `${name} (${grouped(size)} bytes)`;
}
