import { isAtOrAbove } from "./readable.ts";

export interface MountChanges {
  /** An empty file: what is hidden reads as that. */
  empty: string;
  /** A file that nobody may read. */
  unreadable: string;
  /** Absolute: hidden files that git keeps. Read as empty they would be committed as empty. */
  kept: readonly string[];
  /** Absolute: files in whose place others are read. */
  replaced: readonly { path: string; by: string }[];
  home: string;
  folder: string;
  /** Variables that only what runs in the fence gets. */
  variables: Readonly<Record<string, string>>;
}

/** An option of bubblewrap with its arguments. */
type Option = readonly [name: string, ...rest: string[]];

/**
 * Changes what the library has bubblewrap do. The fence gets namespaces for memory that processes share and for names, too,
 * and stays in the session that it is started in, which has no terminal: by that all of it is ended. The library hides a
 * file behind `/dev/null`, a device, over which `git add` and others stumble; an emptied home folder can be written to, so
 * that a command takes for kept what is gone with it; and the kernel's settings are open to root.
 *
 * The line is taken apart into its words, as a shell would: names of files are in it, and any text may be a name.
 * @param line as the library made it: options of bubblewrap, ` -- `, the command
 * @throws Error where it is made otherwise
 */
export function withMounts(
  line: string,
  { empty, unreadable, kept, replaced, home, folder, variables }: MountChanges,
): string {
  const { before, options, behind } = partsOf(wordsOf(line));
  const devices = options.findIndex(([name, path]) => name === "--dev" && path === "/dev");
  if (devices < 0) throw otherwise();
  const top = `/${home.split("/")[1] ?? ""}`;
  const mounts = options.slice(0, devices);
  const keptPaths = new Set(kept);
  const isEmptied =
    mounts.some(([name, path]) => name === "--tmpfs" && path === top) && !isAtOrAbove(folder, top);
  const changed = mounts
    .filter(([name]) => name !== "--new-session")
    .map((option): Option => {
      const [name, source, path = ""] = option;
      const isMask = name === "--ro-bind" && source === "/dev/null";
      return isMask ? [name, keptPaths.has(path) ? unreadable : empty, path] : option;
    });
  const all: Option[] = [
    ...changed,
    ...replaced.map(({ path, by }): Option => ["--ro-bind", by, path]),
    ...(isEmptied ? ([["--remount-ro", top]] as const) : []),
    ...Object.entries(variables).map(([name, value]): Option => ["--setenv", name, value]),
    ...namespaces.map((name): Option => [name]),
    ...options.slice(devices).flatMap((option): Option[] => {
      const [name, path] = option;
      // Root may write the kernel's settings there, whatever else it may not.
      const isProc = name === "--proc" && path === "/proc";
      return isProc ? [option, ["--ro-bind", "/proc/sys", "/proc/sys"]] : [option];
    }),
  ];
  return [...before, ...all.flat(), ...behind].map(wordText).join(" ");
}

const namespaces = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];

const otherwise = () => new Error("The library made another command line than is known of it.");

/** How many arguments each option of bubblewrap takes that the library uses. Source: bwrap(1). */
const argumentsOf: ReadonlyMap<string, number> = new Map([
  ["--args", 1],
  ["--bind", 2],
  ["--cap-add", 1],
  ["--cap-drop", 1],
  ["--chdir", 1],
  ["--dev", 1],
  ["--dev-bind", 2],
  ["--die-with-parent", 0],
  ["--dir", 1],
  ["--disable-userns", 0],
  ["--new-session", 0],
  ["--proc", 1],
  ["--remount-ro", 1],
  ["--ro-bind", 2],
  ["--setenv", 2],
  ["--symlink", 2],
  ["--tmpfs", 1],
  ["--unsetenv", 1],
  ["--unshare-ipc", 0],
  ["--unshare-net", 0],
  ["--unshare-pid", 0],
  ["--unshare-user", 0],
  ["--unshare-uts", 0],
]);

/** Where there are too many options for one line, a shell hands most of them over in a file. */
const byFile = ["/bin/sh", "-c", null, "srt-args", null] as const;

function partsOf(words: readonly string[]): { before: string[]; options: Option[]; behind: string[] } {
  const isByFile = byFile.every((word, index) => word === null || word === words[index]);
  const first = (isByFile ? byFile.length : 0) + 1;
  const options: Option[] = [];
  let at = first;
  while (words[at] !== "--") {
    const name = words[at];
    const count = name === undefined ? undefined : argumentsOf.get(name);
    if (name === undefined || count === undefined || at + count >= words.length) throw otherwise();
    options.push([name, ...words.slice(at + 1, at + 1 + count)]);
    at += 1 + count;
  }
  return { before: words.slice(0, first), options, behind: words.slice(at) };
}

/** A word stands as it is, or in single quotes; a single quote between double ones. */
const wordForm = /(?:[A-Za-z0-9_./:=@+,-]|'[^']*'|"'")+/y;

function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (let at = 0; ; at++) {
    wordForm.lastIndex = at;
    const [word] = wordForm.exec(line) ?? [];
    if (word === undefined) throw otherwise();
    words.push(
      word.replaceAll(/'([^']*)'|"(')"/g, (_, plain?: string, quote?: string) => plain ?? quote ?? ""),
    );
    at += word.length;
    if (at === line.length) return words;
    if (line[at] !== " ") throw otherwise();
  }
}

const wordText = (word: string): string =>
  /^[A-Za-z0-9_./:@+,-][A-Za-z0-9_./:=@+,-]*$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
