import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutSecrets } from "../../shared/redact.ts";

/** Bytes; a larger one is no repository's configuration. */
const maxBytes = 200_000;

/**
 * Copies of the repositories' settings that hold passwords or tokens, without these: git has to read its settings in the
 * fence, and a command would read the passwords with it.
 * @param paths relative to the folder @param temporary where the copies go
 */
export async function withoutPasswords(
  folder: string,
  paths: readonly string[],
  temporary: string,
): Promise<{ path: string; by: string }[]> {
  const settings = paths.filter((path) => /(^|\/)config(\.worktree)?$/.test(path));
  const copies = settings.map(async (name, index) => {
    const path = join(folder, name);
    const text = await readSmall(path);
    const without = text === null ? null : withoutSecrets(text);
    if (without === null || without === text) return [];
    const by = join(temporary, `settings-${index}`);
    await writeFile(by, without, { mode: 0o400 });
    return [{ path, by }];
  });
  return (await Promise.all(copies)).flat();
}

async function readSmall(path: string): Promise<string | null> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= maxBytes ? await readFile(path, "utf8") : null;
  } catch {
    return null;
  }
}
