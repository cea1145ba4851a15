import { realpathSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { maxBytes, readSmallFile } from "../../files/small-file.ts";

/** What of the project around the working folder goes into the system prompt. */
export interface ProjectFacts {
  /** The branch, or the commit where there is none; null outside of a repository. */
  gitBranch: string | null;
  /** The outermost folder's first. `path` is relative to the outermost folder. */
  documents: { path: string; text: string }[];
  /** There are documents that the user does not trust as they are. */
  hasUntrusted?: boolean;
}

/** Whether the user trusts a file of a project with this content. */
export type TrustsFile = (path: string, text: string) => boolean;

/** Bytes of all documents together; what is nearest to the working folder has the first call on them. */
const mostOfAll = 32 * 1024;
/** Every provider's documents begin with this one. */
export const commonDocument = "AGENTS.md";

/**
 * Reads the documents of every folder from the repository's root down to the working folder (of the working folder
 * alone outside of a repository). What cannot be read is left out, and so is what the user does not trust as it is. It
 * is Parley itself that reads here, above the folder that tools are kept in too; a link that leads out of the repository
 * is not followed.
 * @param workingDirectory free of links
 * @param names beside AGENTS.md, relative to each folder
 */
export async function readProject(
  workingDirectory: string,
  names: readonly string[],
  isTrusted: TrustsFile,
): Promise<ProjectFacts> {
  const root = await gitRoot(workingDirectory);
  const outermost = root ?? workingDirectory;
  const paths = documentPaths(outermost, workingDirectory, names);
  // CLAUDE.md is often a link to AGENTS.md.
  const found = new Map<string, { path: string; text: string }>();
  let hasUntrusted = false;
  for (const path of paths) {
    const file = readSmallFile(path, { most: maxBytes.document, within: outermost });
    if (file.kind !== "text") continue;
    if (!isTrusted(path, file.text)) {
      hasUntrusted ||= file.text.trim() !== "";
      continue;
    }
    const real = await realpath(path).catch(() => path);
    found.set(real, { path: relative(outermost, path), text: file.text });
  }
  const documents = withinLimit([...found.values()]);
  return { gitBranch: root && branchOf(root), documents, ...(hasUntrusted && { hasUntrusted }) };
}

/**
 * Where documents are looked for, the outermost folder's first.
 * @returns `within`: the folder that none of them may lead out of
 */
export async function placesOfDocuments(
  workingDirectory: string,
  names: readonly string[],
): Promise<{ within: string; paths: string[] }> {
  const within = (await gitRoot(workingDirectory)) ?? workingDirectory;
  return { within, paths: documentPaths(within, workingDirectory, names) };
}

const documentPaths = (outermost: string, folder: string, names: readonly string[]) =>
  foldersBetween(outermost, folder).flatMap((at) => [commonDocument, ...names].map((name) => join(at, name)));

function withinLimit(files: readonly { path: string; text: string }[]): ProjectFacts["documents"] {
  let left = mostOfAll;
  const kept = files.toReversed().flatMap(({ path, text: whole }) => {
    const bytes = Buffer.from(whole);
    const part = bytes.subarray(0, left);
    left -= part.length;
    // As a stream: the last character may be half there.
    const text = new TextDecoder().decode(part, { stream: true }).trim();
    if (text === "") return [];
    return { path, text: part.length < bytes.length ? `${text}\n[cut]` : text };
  });
  return kept.toReversed();
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

/** What stands in `.git` may be anybody's: a name that git would not take is none. */
function branchOf(root: string): string | null {
  const git = gitFolder(root);
  const head = git === null ? "" : textOf(join(git.folder, "HEAD"), git.within);
  const [, branch] = /^ref: refs\/heads\/([\p{L}\p{N}_.+@#=/-]{1,100})$/u.exec(head) ?? [];
  const [, commit] = /^([0-9a-f]{12})[0-9a-f]{28,52}$/.exec(head) ?? [];
  return branch ?? (commit === undefined ? null : `no branch, at commit ${commit}`);
}

/**
 * In a work tree `.git` is a file that names the folder, which may lie elsewhere.
 * @returns `within`: the folder that nothing of it may lead out of
 */
function gitFolder(root: string): { folder: string; within: string } | null {
  const path = join(root, ".git");
  const file = readSmallFile(path, { most: maxBytes.gitHead, within: root });
  if (file.kind === "missing") return null;
  if (file.kind === "refused") return { folder: path, within: root };
  const [, named] = /^gitdir: (.+)$/m.exec(file.text) ?? [];
  if (named === undefined) return null;
  const folder = resolve(root, named.trim());
  if (isInside(root, folder)) return { folder, within: root };
  try {
    const real = realpathSync(folder);
    return { folder: real, within: real };
  } catch {
    return null;
  }
}

function textOf(path: string, within: string): string {
  const file = readSmallFile(path, { most: maxBytes.gitHead, within });
  return file.kind === "text" ? file.text.trim() : "";
}

function foldersBetween(root: string, folder: string): string[] {
  const steps = relative(root, folder).split(sep).filter(Boolean);
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))];
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
