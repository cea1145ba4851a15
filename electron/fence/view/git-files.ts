import { execFile } from "node:child_process";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { readFileIn } from "../../files/file-content.ts";
import { atEntryBelow } from "../../files/folder-below.ts";
import { type HeldFolder, namesOf, openChild, release, statsIn } from "../../files/held-folder.ts";
import { doLater, type Work } from "../../files/work.ts";

/**
 * Whether what appeared in a repository runs nothing: hooks that git itself puts there as examples, settings that only
 * say how a repository is kept. Anything else decides what runs when git is used there. No link is followed.
 * @param path relative to the folder @param folder the working folder
 * @param was the text of settings that the user had there: what they say counts as harmless
 */
export async function isHarmlessGitFile(path: string, folder: string, was = ""): Promise<boolean> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const text = () => doLater(atEntryBelow(folder, path, readSmall));
  try {
    if (name === "hooks") return (await hooksAt(folder, path)).every((hook) => hook.endsWith(".sample"));
    if (name === "config" || name === "config.worktree")
      return await hasOnlyHarmlessSettings(await text(), was, folder);
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

/** @returns the text of git's settings; null where there is no small file */
export const gitSettingsText = (folder: string, path: string): Promise<string | null> =>
  doLater(atEntryBelow(folder, path, readSmall)).catch(() => null);

interface Setting {
  key: string;
  value: string;
}

async function hasOnlyHarmlessSettings(text: string, was: string, folder: string): Promise<boolean> {
  const [settings, before] = await Promise.all([settingsIn(text), settingsIn(was)]);
  const had = new Set(before.map(({ key, value }) => `${key}\n${value}`));
  return settings.every(
    ({ key, value }) => had.has(`${key}\n${value}`) || isHarmless({ key, value }, settings, folder),
  );
}

function isHarmless({ key, value }: Setting, all: readonly Setting[], folder: string): boolean {
  if (addresses.test(key)) return address.test(value) || isOwnRepository(value, folder);
  // What is no name of a remote is an address itself.
  if (remotes.test(key)) return value === "." || all.some((one) => one.key === `remote.${value}.url`);
  return harmless.some(({ keys, values }) => keys.test(key) && (values?.test(value) ?? true));
}

/** The one around is looked at like any. In another of this computer a command may have left hooks, which run at a push. */
const isOwnRepository = (address: string, folder: string) =>
  isAbsolute(address) && [folder, join(folder, ".git")].includes(resolve(address));

/** Read by git itself, without what it includes. */
async function settingsIn(text: string): Promise<Setting[]> {
  if (text === "") return [];
  const args = ["config", "--file", "-", "--no-includes", "--null", "--list"];
  const env = { PATH: "/usr/bin:/bin:/usr/local/bin", GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" };
  const running = promisify(execFile)("git", args, { env, cwd: "/", maxBuffer: 1_000_000 });
  // It may have said what is wrong with it before it has read all.
  running.child.stdin?.on("error", () => {}).end(text);
  const { stdout } = await running;
  return stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end < 0
        ? { key: entry, value: "true" }
        : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}

/** An address of another computer that git reaches by itself, without a program that it names. */
const address = /^(?!.*::)(?!file:)(?:(?:https?|ssh|git):\/\/|[\w.-]+@[\w.-]+:|\w[\w.-]*:(?!\/\/))\S*$/;
// What is missing in a partial clone is fetched by any command of git, from wherever these say: they are not harmless.
const safeName = "[^\\n]+";
const addresses = new RegExp(`^(remote\\.${safeName}\\.(url|pushurl)|submodule\\.${safeName}\\.url)$`);
const remotes = new RegExp(`^branch\\.${safeName}\\.(remote|pushremote)$`);

const harmless: readonly { keys: RegExp; values?: RegExp }[] = [
  {
    keys: /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|sharedrepository|quotepath|longpaths|protectntfs|protecthfs|abbrev|compression|sparsecheckout|sparsecheckoutcone)$/,
  },
  { keys: /^core\.(fsmonitor|untrackedcache)$/, values: /^(false|no|off|0)$/i },
  {
    keys: new RegExp(`^remote\\.${safeName}\\.(fetch|push|tagopt|mirror|prune)$`),
  },
  { keys: new RegExp(`^branch\\.${safeName}\\.(merge|rebase|description)$`) },
  { keys: /^user\.(name|email)$/ },
  { keys: /^init\.defaultbranch$/ },
  { keys: /^(pull|push|fetch|merge|rebase)\.(rebase|default|prune|ff|autostash|autosetupremote)$/ },
  { keys: /^extensions\.(objectformat|refstorage)$/, values: /^[\w-]+$/ },
  { keys: new RegExp(`^submodule\\.${safeName}\\.active$`) },
  { keys: /^submodule\.active$/ },
  { keys: /^gc\.(auto|autodetach|pruneexpire)$/ },
];

const gitData: ReadonlySet<string> = new Set(["objects", "refs", "logs", "lfs"]);

/** A work tree's or a submodule's `.git` file, where it leads into the repository around it, by no link. */
async function leadsToOwnRepository(path: string, text: string, folder: string): Promise<boolean> {
  const [, target = ""] = /^gitdir: (.+)$/m.exec(text) ?? [];
  const real = resolve(folder, dirname(path), target.trim());
  const own = join(folder, ".git");
  if (!["modules", "worktrees"].some((name) => real.startsWith(join(own, name) + sep))) return false;
  const way = relative(folder, real).split(sep).join("/");
  // Where git keeps its data nobody looks for settings.
  if (
    way
      .split("/")
      .slice(1)
      .some((name) => gitData.has(name))
  )
    return false;
  const stats = await doLater(atEntryBelow(folder, way, statsIn));
  return stats?.isDirectory() ?? false;
}
