import { type FileContent, readFileIn } from "./file-content.ts";
import { FileError } from "./file-error.ts";
import { atPlace, type LinkUse } from "./place.ts";
import type { Work } from "./work.ts";

/**
 * Reads a regular file below a root from its start.
 * @param root absolute, and free of links
 * @param target absolute, without `..`
 * @returns with the names from the root to the file, free of links
 * @throws as `atPlace`; FileError NOFILE, ENOENT
 */
export function readFileAt(
  root: string,
  target: string,
  { maxBytes, links = "follow" }: { maxBytes: number; links?: LinkUse },
): Work<FileContent & { way: readonly string[] }> {
  return atPlace(root, target, links, function* ({ folder, name, stats, way }) {
    if (!stats) throw new FileError("ENOENT", `there is no ${target}`);
    if (name === null) throw new FileError("NOFILE", `${target} is a folder`);
    return { ...(yield* readFileIn(folder, name, stats, maxBytes)), way };
  });
}
