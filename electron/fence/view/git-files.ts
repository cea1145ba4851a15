import { execFile } from "node:child_process";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { readFileIn } from "../../files/file-content.ts";
import { atEntryBelow } from "../../files/folder-below.ts";
import { type HeldFolder, namesOf, openChild, release, statsIn } from "../../files/held-folder.ts";
import { doLater, type Work } from "../../files/work.ts";

/**
 * Whether what appeared in a repository runs nothing: hooks that git itself puts there as examples, settings that only
 * say how a repository is kept. Anything else decides what runs when git is used there. No link is followed.
 * @param path relative to the folder @param folder the working folder
 */
export async function isHarmlessGitFile(path: string, folder: string): Promise<boolean> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const text = () => doLater(atEntryBelow(folder, path, readSmall));
  try {
    if (name === "hooks") return (await hooksAt(folder, path)).every((hook) => hook.endsWith(".sample"));
    if (name === "config" || name === "config.worktree") return await hasOnlyHarmlessSettings(await text());
    if (name === "commondir") return (await text()).trim() === "../..";
    if (name === ".git") return await leadsToOwnRepository(path, await text(), folder);
    // `info/attributes` names filters; only settings say what they run.
    return name === "attributes";
  } catch {
    return false;
  }
}

/** Bytes. */
const maxBytes = 200_000;

function* readSmall(held: HeldFolder, name: string): Work<string> {
  const stats = yield* statsIn(held, name);
  if (!stats?.isFile() || stats.size > maxBytes) throw new Error("no small file");
  return (yield* readFileIn(held, name, stats, maxBytes)).bytes.toString("utf8");
}

const hooksAt = (folder: string, path: string) =>
  doLater(
    atEntryBelow(folder, path, function* (held, name) {
      const hooks = yield* openChild(held, name);
      try {
        return yield* namesOf(hooks);
      } finally {
        yield* release(hooks);
      }
    }),
  );

/** Read by git itself, without what it includes. */
async function hasOnlyHarmlessSettings(text: string): Promise<boolean> {
  const args = ["config", "--file", "-", "--no-includes", "--null", "--list"];
  const env = { PATH: "/usr/bin:/bin:/usr/local/bin", GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" };
  const running = promisify(execFile)("git", args, { env, cwd: "/", maxBuffer: 1_000_000 });
  // It may have said what is wrong with it before it has read all.
  running.child.stdin?.on("error", () => {}).end(text);
  const { stdout } = await running;
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

/** A work tree's or a submodule's `.git` file, where it leads into the repository around it, by no link. */
async function leadsToOwnRepository(path: string, text: string, folder: string): Promise<boolean> {
  const [, target = ""] = /^gitdir: (.+)$/m.exec(text) ?? [];
  const real = resolve(folder, dirname(path), target.trim());
  const own = join(folder, ".git");
  if (!["modules", "worktrees"].some((name) => real.startsWith(join(own, name) + sep))) return false;
  const way = relative(folder, real).split(sep).join("/");
  const stats = await doLater(atEntryBelow(folder, way, statsIn));
  return stats?.isDirectory() ?? false;
}
