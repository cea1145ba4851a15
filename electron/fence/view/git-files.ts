import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";

/**
 * Whether what appeared in a repository runs nothing: hooks that git itself puts there as examples, settings that only
 * say how a repository is kept. Anything else decides what runs when git is used there.
 * @param path absolute @param folder the working folder
 */
export async function isHarmlessGitFile(path: string, folder: string): Promise<boolean> {
  const name = basename(path);
  try {
    if (name === "hooks") return (await readdir(path)).every((hook) => hook.endsWith(".sample"));
    if (name === "config" || name === "config.worktree") return await hasOnlyHarmlessSettings(path);
    if (name === "commondir") return (await readSmall(path)).trim() === "../..";
    if (name === ".git") return await leadsToOwnRepository(path, folder);
    // `info/attributes` names filters; only settings say what they run.
    return name === "attributes";
  } catch {
    return false;
  }
}

const maxBytes = 200_000;

async function readSmall(path: string): Promise<string> {
  const info = await stat(path);
  if (!info.isFile() || info.size > maxBytes) throw new Error("no small file");
  return await readFile(path, "utf8");
}

/** Read by git itself, without what it includes. */
async function hasOnlyHarmlessSettings(path: string): Promise<boolean> {
  await readSmall(path);
  const args = ["config", "--file", path, "--no-includes", "--null", "--list"];
  const env = { PATH: "/usr/bin:/bin:/usr/local/bin", GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" };
  const { stdout } = await promisify(execFile)("git", args, { env, cwd: "/", maxBuffer: 1_000_000 });
  return stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .every((entry) => {
      const end = entry.indexOf("\n");
      const [key, value] = end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
      return harmless.some(({ keys, values }) => keys.test(key) && (values?.test(value) ?? true));
    });
}

/** An address that git fetches from by itself, without a program that it names. */
const address = /^(?:(?:https?|ssh|git|file):\/\/|[\w.-]+@[\w.-]+:|[./~\w])(?!.*::)[^\s]*$/;
const safeName = "[^\\n]+";

const harmless: readonly { keys: RegExp; values?: RegExp }[] = [
  {
    keys: /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|sharedrepository|quotepath|longpaths|protectntfs|protecthfs|abbrev|compression|sparsecheckout|sparsecheckoutcone)$/,
  },
  { keys: /^core\.(fsmonitor|untrackedcache)$/, values: /^(false|no|off|0)$/i },
  { keys: new RegExp(`^remote\\.${safeName}\\.(url|pushurl)$`), values: address },
  {
    keys: new RegExp(`^remote\\.${safeName}\\.(fetch|push|tagopt|promisor|partialclonefilter|mirror|prune)$`),
  },
  { keys: new RegExp(`^branch\\.${safeName}\\.(remote|merge|rebase|description|pushremote)$`) },
  { keys: /^user\.(name|email)$/ },
  { keys: /^init\.defaultbranch$/ },
  { keys: /^(pull|push|fetch|merge|rebase)\.(rebase|default|prune|ff|autostash|autosetupremote)$/ },
  { keys: /^extensions\.(objectformat|partialclone|refstorage)$/, values: /^[\w-]+$/ },
  { keys: new RegExp(`^submodule\\.${safeName}\\.url$`), values: address },
  { keys: new RegExp(`^submodule\\.${safeName}\\.active$`) },
  { keys: /^submodule\.active$/ },
  { keys: /^gc\.(auto|autodetach|pruneexpire)$/ },
];

/** A work tree's or a submodule's `.git` file, where it leads into the repository around it. */
async function leadsToOwnRepository(path: string, folder: string): Promise<boolean> {
  const [, target = ""] = /^gitdir: (.+)$/m.exec(await readSmall(path)) ?? [];
  const real = resolve(dirname(path), target.trim());
  const own = join(folder, ".git");
  return ["modules", "worktrees"].some((name) => real.startsWith(join(own, name) + sep));
}
