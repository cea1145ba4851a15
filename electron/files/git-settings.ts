import { dirname, isAbsolute, join, resolve } from "node:path";
import { expandHome } from "./expand-home.ts";
import { readSmallFile } from "./small-file.ts";

/** One of git's settings, in the file that says it. */
export interface GitSetting {
  /** As git lists it: section and name in small letters. */
  key: string;
  value: string;
  /** Absolute. */
  file: string;
}

/** Bytes of one file of settings. */
const maxFile = 200_000;
/** Files that are read for one repository. Git follows ten includes into each other. */
const mostFiles = 50;

/**
 * What git's settings say in a repository: its own, the user's and the system's, with all that they include, on whatever
 * condition. They are read by Parley itself: git would run programs in some repositories.
 * @param top the folder that `.git` is in; absolute
 */
export function gitSettings(top: string): GitSetting[] {
  const user = [expandHome("~/.gitconfig"), join(expandHome("~/.config"), "git/config")];
  const waiting = ["/etc/gitconfig", ...user, ...settingsFiles(join(top, ".git"))];
  const read = new Set<string>();
  const settings: GitSetting[] = [];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (read.has(file) || read.size === mostFiles) continue;
    read.add(file);
    const text = textOf(file);
    const own = text === null ? [] : settingsIn(text).map((setting) => ({ ...setting, file }));
    settings.push(...own);
    waiting.push(...own.filter(isInclude).map(includedFile));
  }
  return settings;
}

export const isInclude = ({ key }: Pick<GitSetting, "key">): boolean =>
  key === "include.path" || /^includeif\..*\.path$/s.test(key);

/** @returns absolute */
export const includedFile = ({ value, file }: Pick<GitSetting, "value" | "file">): string =>
  resolve(dirname(file), expandHome(value));

function textOf(file: string): string | null {
  const read = readSmallFile(file, { most: maxFile });
  return read.kind === "text" ? read.text : null;
}

/** Of a repository, a work tree of its own and a module: the last two have a file in place of `.git`. */
function settingsFiles(git: string): string[] {
  const [, pointed] = /^gitdir: (.+)$/m.exec(textOf(git) ?? "") ?? [];
  const own = pointed === undefined ? git : resolve(dirname(git), pointed.trim());
  const common = textOf(join(own, "commondir"))?.trim();
  const shared = common === undefined ? own : isAbsolute(common) ? common : join(own, common);
  return [join(shared, "config"), join(own, "config.worktree")];
}

const sectionLine = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/;
const settingLine = /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/;
/** What a value is made of: a piece in quotes, a sign behind a backslash, a comment, all else. */
const valuePart = /"((?:[^"\\]|\\.)*)"|\\(.)|([#;].*)|([^"\\#;]+)/g;

/** Source: git-config(1), Syntax. */
function settingsIn(text: string): Pick<GitSetting, "key" | "value">[] {
  const settings: Pick<GitSetting, "key" | "value">[] = [];
  let section = "";
  for (const whole of text
    .replace(/^\uFEFF/, "")
    .replace(/\\\r?\n/g, "")
    .split(/\r?\n/)) {
    const [head, name, part] = sectionLine.exec(whole) ?? [];
    if (name !== undefined)
      section = [name.toLowerCase(), ...(part === undefined ? [] : [unescaped(part)])].join(".");
    const [, key, value] = settingLine.exec(whole.slice(head?.length ?? 0)) ?? [];
    if (key !== undefined)
      settings.push({
        key: `${section}.${key.toLowerCase()}`,
        value: value === undefined ? "true" : plain(value),
      });
  }
  return settings;
}

function plain(value: string): string {
  const parts = [...value.trim().matchAll(valuePart)];
  return parts
    .map(([, quoted, sign, , rest]) => (quoted === undefined ? (sign ?? rest ?? "") : unescaped(quoted)))
    .join("")
    .trim();
}

const unescaped = (text: string) => text.replace(/\\(.)/g, "$1");
