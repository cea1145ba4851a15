import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expandHome } from "./expand-home.ts";
import { type GitSetting, gitSettings, includedFile, isInclude } from "./git-settings.ts";

/**
 * What git obeys in a repository by a name that its settings or its links give it: folders of hooks, settings that are
 * included, attributes, and programs. To change it is to decide what git runs.
 * @param top the folder that `.git` is in; absolute
 * @returns absolute, links not followed; also of what is not there yet
 */
export function namedByGit(top: string): string[] {
  const named = gitSettings(top).flatMap((setting) => pathsOf(setting, top));
  return [...new Set([...named, ...linkedHooks(join(top, ".git/hooks"))])];
}

const places = /^core\.(hookspath|attributesfile)$/;

/** Settings whose value is a command line, or a program. */
const programs =
  /^(core\.(fsmonitor|editor|pager|askpass|sshcommand|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|(diff\..*)\.(command|textconv)|filter\..*\.(clean|smudge|process)|merge\..*\.driver|gpg\.(.*\.)?(program|defaultkeycommand)|credential\.(.*\.)?helper|alias\..*|pager\..*|interactive\.difffilter|(diff|merge)tool\..*\.(cmd|path)|trailer\..*\.(command|cmd)|uploadpack\.packobjectshook|remote\..*\.(uploadpack|receivepack)|submodule\..*\.update|sendemail\..*cmd)$/s;

function pathsOf(setting: GitSetting, top: string): string[] {
  const { key, value } = setting;
  if (isInclude(setting)) return [includedFile(setting)];
  const at = (path: string) => resolve(top, expandHome(path));
  if (places.test(key)) return value === "" ? [] : [at(value)];
  // A word without a slash is looked up in the PATH, or is no path at all.
  const words = programs.test(key) ? value.split(/[\s"'`;|&()<>=!]+/) : [];
  return words.filter((word) => word.includes("/")).map(at);
}

/** Where links among the hooks lead. */
function linkedHooks(hooks: string): string[] {
  const own = linkAt(hooks);
  const inside = namesIn(hooks).map((name) => linkAt(join(hooks, name)));
  const folder = own === null || inside.length === 0 ? hooks : realpathSync(hooks);
  return [
    ...(own === null ? [] : [resolve(dirname(hooks), own)]),
    ...inside.flatMap((target) => (target === null ? [] : [resolve(folder, target)])),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** @returns the way from a folder to a path below it, with `/`; null for the folder itself, and for all else */
export function wayBelow(folder: string, path: string): string | null {
  const way = relative(folder, path).split(sep).join("/");
  return way === "" || way === ".." || way.startsWith("../") || way.startsWith("/") ? null : way;
}
