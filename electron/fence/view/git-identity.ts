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
