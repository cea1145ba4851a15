import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutSecrets } from "../../../shared/safety/redact.ts";
import { readFileIn } from "../../files/file-content.ts";
import { atEntryBelow } from "../../files/folder-below.ts";
import { statsIn } from "../../files/held-folder.ts";
import { doLater } from "../../files/work.ts";

/** Bytes; a larger one is no settings file that anybody wrote. */
const maxBytes = 200_000;

/**
 * Settings that programs cannot do without, and that may hold passwords: they are not hidden as a whole, but read without
 * these. @param path relative to the folder
 */
export const isReadWithoutPasswords = (path: string): boolean => packageSettings.test(path);

const packageSettings = /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml)$/;
const yarnSettings = /(^|\/)\.yarnrc(\.yml)?$/;
const gitSettings = /(^|\/)config(\.worktree)?$/;

/**
 * Copies of settings that hold passwords or tokens, without these: git and package managers have to read theirs in the
 * fence, and a command would read the passwords with it. One that is a link has none: what it leads to is hidden or not
 * by its own name.
 * @param paths relative to the folder @param temporary where the copies go
 */
export async function withoutPasswords(
  folder: string,
  paths: readonly string[],
  temporary: string,
): Promise<{ path: string; by: string }[]> {
  const settings = paths.filter((path) => gitSettings.test(path) || packageSettings.test(path));
  const copies = settings.map(async (name, index) => {
    const text = await readSmall(folder, name);
    if (text === undefined) return [];
    const without = text === null ? "" : cleaned(name, text);
    if (without === text) return [];
    const by = join(temporary, `settings-${index}`);
    await writeFile(by, without, { mode: 0o400 });
    return [{ path: join(folder, name), by }];
  });
  return (await Promise.all(copies)).flat();
}

function cleaned(name: string, text: string): string {
  if (!packageSettings.test(name)) return withoutSecrets(text);
  const lines = text.split("\n");
  const kept = yarnSettings.test(name)
    ? withoutSecretValues(lines)
    : lines.filter((line) => !holdsSecret.test(line));
  return withoutSecrets(kept.join("\n"));
}

/** A value may go on below its name: in lines that are further in, and in those that begin nothing. */
function withoutSecretValues(lines: readonly string[]): string[] {
  let within: number | null = null;
  return lines.filter((line) => {
    const indent = line.search(/\S/);
    if (within !== null && (indent < 0 || indent > within || !beginsAnew.test(line))) return false;
    within = holdsSecret.test(line) ? indent : null;
    return within === null;
  });
}

/** `//host/:_authToken=…`, `_auth=…`, `npmAuthToken: …`, `"//host/:_authToken" …`, `email` and `password` of older registries. */
const holdsSecret = /(auth|token|passw(or)?d|secret|username|email|certfile|keyfile)\w*["']?(\s*[:=]|\s+\S)/i;

/** A comment, a part of a list, `name: value` or `name value`. */
const beginsAnew = /^\s*(#|-\s|["']?[^\s"'{}[\],]+["']?(\s*:(\s|$)|\s+["']?[\w./-]))/;

/** @returns undefined for a link; null for what is no small file otherwise, or cannot be read */
async function readSmall(folder: string, path: string): Promise<string | null | undefined> {
  const read = atEntryBelow(folder, path, function* (held, name) {
    const stats = yield* statsIn(held, name);
    if (stats?.isSymbolicLink()) return undefined;
    if (!stats?.isFile() || stats.size > maxBytes) return null;
    return (yield* readFileIn(held, name, stats, maxBytes)).bytes.toString("utf8");
  });
  return await doLater(read).catch(() => null);
}
