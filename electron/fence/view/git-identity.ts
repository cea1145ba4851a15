import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
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
  return stdout.split("\0").filter((path) => path !== "");
}
