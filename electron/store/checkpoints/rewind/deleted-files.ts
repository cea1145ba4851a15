import type { Change } from "../folder-changes.ts";

/**
 * The files and links among the changes that are gone: not those that only moved, and not what a repository keeps of
 * its history unless the repository itself is gone (git lets go of objects as it packs them).
 */
export function deletedFiles(changes: readonly Change[]): string[] {
  const gone = changes.filter(({ before, after }) => isContent(before.kind) && after?.kind === "absent");
  const paths = new Set(gone.map(({ path }) => path));
  const arrived = new Map<string, number>();
  for (const { before, after } of changes) {
    if (after?.kind === "file" && before.kind === "absent")
      arrived.set(after.hash, (arrived.get(after.hash) ?? 0) + 1);
  }
  return gone.flatMap(({ path, before }) => {
    const repository = /^(?:.*\/)?\.git(?=\/)/.exec(path)?.[0];
    if (repository !== undefined && !paths.has(`${repository}/HEAD`)) return [];
    const places = before.kind === "file" ? (arrived.get(before.hash) ?? 0) : 0;
    if (before.kind !== "file" || places === 0) return [path];
    arrived.set(before.hash, places - 1);
    return [];
  });
}

const isContent = (kind: string) => kind === "file" || kind === "symlink";
