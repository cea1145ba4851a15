import { execFile } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { GitIdentity } from "./environment.ts";

const run = promisify(execFile);

/** What the user's own settings say, read outside of any working folder. */
export async function gitIdentity(home: string): Promise<GitIdentity> {
  const read = async (...key: string[]) => {
    const { stdout } = await run("git", ["config", "--global", "--get", ...key], { cwd: "/" });
    return stdout.trim() || null;
  };
  const of = (...key: string[]) => read(...key).catch(() => null);
  const [name, email, defaultBranch, excludes] = await Promise.all([
    of("user.name"),
    of("user.email"),
    of("init.defaultBranch"),
    of("--path", "core.excludesFile"),
  ]);
  const ignored = await readFile(excludes ?? join(home, ".config/git/ignore"), "utf8").catch(() => "");
  return { name, email, defaultBranch, ignored };
}

/**
 * Which of some files git keeps.
 * @param paths relative to the folder @returns the same, those that are in its index; none where it is no repository
 */
export async function keptByGit(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const state = indexState(folder);
  if (state === null) return [];
  const asked = JSON.stringify(paths);
  const before = known.get(folder);
  if (state !== "" && before?.state === state && before.asked === asked) return before.kept;
  const args = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "safe.bareRepository=explicit",
    "ls-files",
    "-z",
    "--",
    ...paths,
  ];
  const env = { PATH: "/usr/bin:/bin:/usr/local/bin", GIT_OPTIONAL_LOCKS: "0", GIT_LITERAL_PATHSPECS: "1" };
  const { stdout } = await run("git", args, { cwd: folder, env }).catch(() => ({ stdout: "" }));
  const kept = stdout.split("\0").filter((path) => path !== "");
  known.set(folder, { state, asked, kept });
  return kept;
}

/** What git said last, for as long as its index is the same: to start a program takes longer than to look. */
const known = new Map<string, { state: string; asked: string; kept: readonly string[] }>();

/** A word for git's index as it is now. @returns empty where git has to be asked; null where there is no repository */
function indexState(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const info = lstatSync(join(at, ".git"), { throwIfNoEntry: false });
    if (!info && at === dirname(at)) return null;
    if (!info) continue;
    // A work tree of its own has it elsewhere; git looks above what is no repository.
    if (!info.isDirectory() || !existsSync(join(at, ".git/HEAD"))) return "";
    const index = lstatSync(join(at, ".git/index"), { bigint: true, throwIfNoEntry: false });
    return index?.isFile() ? [at, index.ino, index.size, index.mtimeNs, index.ctimeNs].join(" ") : "";
  }
}
