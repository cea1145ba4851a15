import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutSecrets } from "../../../shared/safety/redact.ts";

/** Bytes; a larger one is no settings file that anybody wrote. */
const maxBytes = 200_000;

/**
 * Settings that programs cannot do without, and that may hold passwords: they are not hidden as a whole, but read without
 * these. @param path relative to the folder
 */
export const isReadWithoutPasswords = (path: string): boolean => packageSettings.test(path);

const packageSettings = /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml)$/;
const gitSettings = /(^|\/)config(\.worktree)?$/;

/**
 * Copies of settings that hold passwords or tokens, without these: git and package managers have to read theirs in the
 * fence, and a command would read the passwords with it.
 * @param paths relative to the folder @param temporary where the copies go
 */
export async function withoutPasswords(
  folder: string,
  paths: readonly string[],
  temporary: string,
): Promise<{ path: string; by: string }[]> {
  const settings = paths.filter((path) => gitSettings.test(path) || packageSettings.test(path));
  const copies = settings.map(async (name, index) => {
    const path = join(folder, name);
    const text = await readSmall(path);
    const without = text === null ? "" : cleaned(name, text);
    if (without === text) return [];
    const by = join(temporary, `settings-${index}`);
    await writeFile(by, without, { mode: 0o400 });
    return [{ path, by }];
  });
  return (await Promise.all(copies)).flat();
}

function cleaned(name: string, text: string): string {
  const lines = packageSettings.test(name)
    ? text.split("\n").filter((line) => !holdsSecret.test(line))
    : null;
  return withoutSecrets(lines === null ? text : lines.join("\n"));
}

/** `//host/:_authToken=…`, `_auth=…`, `npmAuthToken: …`, `email` and `password` of older registries. */
const holdsSecret = /(auth|token|passw(or)?d|secret|username|email|certfile|keyfile)\w*["']?\s*[:=]/i;

async function readSmall(path: string): Promise<string | null> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= maxBytes ? await readFile(path, "utf8") : null;
  } catch {
    return null;
  }
}
