import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readFileAt } from "../files/read-file-at.ts";
import { doLater } from "../files/work.ts";

/** What of the project around the working folder goes into the system prompt. */
export interface ProjectFacts {
  /** The branch, or the commit where there is none; null outside of a repository. */
  gitBranch: string | null;
  /** The outermost folder's first. `path` is relative to the outermost folder. */
  documents: { path: string; text: string }[];
}

/** Bytes of all documents together; what is nearest to the working folder has the first call on them. */
const maxBytes = 32 * 1024;
/** Of a file in which git names a branch or a folder. */
const maxGitBytes = 4096;
/** Every provider's documents begin with this one. */
const always = "AGENTS.md";

/**
 * Reads the documents of every folder from the repository's root down to the working folder (of the working folder
 * alone outside of a repository). What cannot be read is left out. It is Parley itself that reads here, above the
 * folder that tools are kept in too; a link that leads out of the repository is not followed.
 * @param workingDirectory free of links
 * @param names beside AGENTS.md, relative to each folder
 */
export async function readProject(workingDirectory: string, names: readonly string[]): Promise<ProjectFacts> {
  const root = await gitRoot(workingDirectory);
  const outermost = root ?? workingDirectory;
  const paths = foldersBetween(outermost, workingDirectory).flatMap((folder) =>
    [always, ...names].map((name) => join(folder, name)),
  );
  // All at once: every prompt waits for them.
  const [gitBranch, files] = await Promise.all([
    root && branchOf(root),
    Promise.all(paths.map((path) => readInside(outermost, path))),
  ]);
  // CLAUDE.md is often a link to AGENTS.md.
  const found = new Map<string, { path: string; bytes: Buffer }>();
  for (const file of files) {
    if (file) found.set(file.real, { path: relative(outermost, file.path), bytes: file.bytes });
  }
  return { gitBranch, documents: withinLimit([...found.values()]) };
}

function withinLimit(files: readonly { path: string; bytes: Buffer }[]): ProjectFacts["documents"] {
  let left = maxBytes;
  const kept = files.toReversed().flatMap(({ path, bytes }) => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    // As a stream: the last character may be half there.
    const text = new TextDecoder().decode(part, { stream: true }).trim();
    if (text === "") return [];
    return { path, text: part.length < bytes.length ? `${text}\n[cut]` : text };
  });
  return kept.toReversed();
}

async function readInside(
  root: string,
  path: string,
): Promise<{ path: string; real: string; bytes: Buffer } | null> {
  try {
    // One byte more tells that there is more.
    const { bytes, way } = await doLater(readFileAt(root, path, { maxBytes: maxBytes + 1 }));
    return { path, real: way.join("/"), bytes };
  } catch {
    return null;
  }
}

async function gitRoot(folder: string): Promise<string | null> {
  const folders = [resolve(folder)];
  for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  const areRoots = await Promise.all(
    folders.map((at) =>
      lstat(join(at, ".git")).then(
        () => true,
        () => false,
      ),
    ),
  );
  return folders[areRoots.indexOf(true)] ?? null;
}

async function branchOf(root: string): Promise<string | null> {
  try {
    const { folder, within } = await gitFolder(root);
    const head = await shortText(within, join(folder, "HEAD"));
    const [, branch] = /^ref: refs\/heads\/(.+)$/.exec(head) ?? [];
    if (branch !== undefined) return branch;
    // A file of another kind may be called so, too: nothing of it is shown.
    return /^[\da-f]{40,64}$/.test(head) ? `no branch, at commit ${head.slice(0, 12)}` : null;
  } catch {
    return null;
  }
}

/** In a work tree `.git` is a file that names the folder, which may lie elsewhere. */
async function gitFolder(root: string): Promise<{ folder: string; within: string }> {
  const path = join(root, ".git");
  if ((await lstat(path)).isDirectory()) return { folder: path, within: root };
  const [, named] = /^gitdir: (.+)$/m.exec(await shortText(root, path)) ?? [];
  if (named === undefined) throw new Error(`${path} names no folder.`);
  const folder = resolve(root, named.trim());
  if (isInside(root, folder)) return { folder, within: root };
  const real = await realpath(folder);
  return { folder: real, within: real };
}

async function shortText(root: string, path: string): Promise<string> {
  const { bytes } = await doLater(readFileAt(root, path, { maxBytes: maxGitBytes }));
  return bytes.toString("utf8").trim();
}

function foldersBetween(root: string, folder: string): string[] {
  const steps = relative(root, folder).split(sep).filter(Boolean);
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))];
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
