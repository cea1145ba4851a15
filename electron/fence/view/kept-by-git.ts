import { execFile } from "node:child_process";
import { lstatSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Milliseconds that git may take to read an index. */
const readTimeoutMs = 10_000;
/** Bytes: a `.git` file is one line. */
const maxPointerBytes = 10_000;

/**
 * Which of some files git keeps. Git reads the folder's index in a repository of Parley's own: it sees none of the folder's
 * settings, which could have it run a program or fetch what is missing from anywhere.
 * @param paths relative to the folder
 * @param runtimeFolder of Parley's alone
 * @returns the same, those that are in its index; none where it is no repository; all where its index cannot be read
 */
export async function keptByGit(
  folder: string,
  paths: readonly string[],
  runtimeFolder: string,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const place = indexPlace(folder);
  if (place === null) return [];
  const asked = JSON.stringify(paths);
  const before = known.get(folder);
  if (before?.state === place.state && before.asked === asked) return before.kept;
  const kept = await readIndex(folder, paths, place, await emptyRepository(runtimeFolder));
  known.set(folder, { state: place.state, asked, kept });
  return kept;
}

async function readIndex(
  folder: string,
  paths: readonly string[],
  { top, index }: IndexPlace,
  repository: string,
): Promise<readonly string[]> {
  const env = {
    PATH: "/usr/bin:/bin:/usr/local/bin",
    GIT_DIR: repository,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: index,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
  const args = ["ls-files", "--sparse", "-z", "--", ...paths];
  try {
    const { stdout } = await run("git", args, { cwd: folder, env, timeout: readTimeoutMs });
    return stdout.split("\0").filter((path) => path !== "");
  } catch {
    // Better one that cannot be read than one that is committed as empty.
    return [...paths];
  }
}

/** Git wants one to work in. It has nothing in it. */
async function emptyRepository(runtimeFolder: string): Promise<string> {
  const folder = join(runtimeFolder, "no-settings.git");
  await Promise.all(
    ["objects", "refs"].map((name) => mkdir(join(folder, name), { recursive: true, mode: 0o700 })),
  );
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
  return folder;
}

/** What git said last, for as long as the index is the same: to start a program takes longer than to look. */
const known = new Map<string, { state: string; asked: string; kept: readonly string[] }>();

interface IndexPlace {
  /** Of the work tree. */
  top: string;
  index: string;
  /** A word for the index as it is now. */
  state: string;
}

/** @returns null where there is no repository, or nothing in its index */
function indexPlace(folder: string): IndexPlace | null {
  for (let top = folder; ; top = dirname(top)) {
    const repository = repositoryAt(join(top, ".git"));
    if (repository !== null) {
      const index = join(repository, "index");
      const info = lstatSync(index, { bigint: true, throwIfNoEntry: false });
      if (!info?.isFile()) return null;
      return { top, index, state: [index, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(" ") };
    }
    if (top === dirname(top)) return null;
  }
}

/** @returns null where there is none: git looks above then */
function repositoryAt(path: string): string | null {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isDirectory()) return lstatSync(join(path, "HEAD"), { throwIfNoEntry: false }) ? path : null;
  if (!info?.isFile() || info.size > maxPointerBytes) return null;
  // A work tree of its own has its index elsewhere.
  const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
  return target === undefined ? null : resolve(dirname(path), target.trim());
}
