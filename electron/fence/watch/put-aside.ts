import { cp, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PutAside } from "../../agent/ports/ports.ts";
import { isHarmlessGitFile } from "../view/git-files.ts";
import { isThere } from "./steering-files.ts";

/** UTF-16 units of a file that the card shows. */
const maxShown = 2000;
/** Bytes of a file that is read for it. */
const maxRead = 1_000_000;

/**
 * Takes what appeared of files that decide what runs elsewhere out of the working folder.
 * @param before what was there when the command began, relative to the folder
 * @param after what is there now
 * @param place a folder that is not there yet: where they go
 * @returns null: nothing appeared that could run anything
 */
export async function putAside(
  folder: string,
  { before, after }: { before: readonly string[]; after: readonly string[] },
  place: string,
): Promise<PutAside | null> {
  const known = new Set(before);
  const appeared: string[] = [];
  for (const path of after) {
    const target = join(folder, path);
    if (known.has(path) || isBelow(path, appeared)) continue;
    const inRepository = /(^|\/)(\.git|modules)(\/|$)/.test(path) || gitNames.test(path);
    if (inRepository && (await isHarmlessGitFile(target, folder))) continue;
    if (await isEmptyFolder(target)) continue;
    appeared.push(path);
  }
  if (appeared.length === 0) return null;
  const detail: string[] = [];
  for (const path of appeared) {
    detail.push(await shown(join(folder, path), path));
    await move(join(folder, path), join(place, path));
  }
  const aside = { folder, place, paths: appeared, detail: detail.join("\n\n") };
  return { ...aside, putBack: () => putBack(aside) };
}

/** Puts back what was put aside, at whatever time. What is there meanwhile stays. @throws Error in words */
export async function putBack({
  folder,
  place,
  paths,
}: Pick<PutAside, "folder" | "place" | "paths">): Promise<void> {
  const taken = paths.filter((path) => isThere(join(folder, path)));
  for (const path of paths.filter((one) => !taken.includes(one))) {
    await move(join(place, path), join(folder, path));
  }
  if (taken.length === 0) return;
  throw new Error(
    `There is something else by now at ${taken.join(", ")}. It stays; the other is in ${place}.`,
  );
}

const gitNames = /(^|\/)(config|config\.worktree|hooks|commondir|attributes)$/;

const isBelow = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path.startsWith(`${folder}/`));

async function isEmptyFolder(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => null);
  return info === null || (info.isDirectory() && (await readdir(path)).length === 0);
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    // Links are copied as links.
    await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
    await rm(from, { recursive: true });
  });
}

/** Of a folder what is in it, as far as there is room. */
async function shown(path: string, name: string): Promise<string> {
  const info = await lstat(path);
  if (info.isDirectory()) {
    const names = (await readdir(path)).sort();
    let text = `${name}/`;
    for (const one of names) {
      if (text.length > maxShown) return `${text.slice(0, maxShown)}\n…`;
      text += `\n\n${await shown(join(path, one), `${name}/${one}`)}`;
    }
    return text;
  }
  if (!info.isFile()) return `${name} (a link)`;
  if (info.size > maxRead) return `${name} (${info.size} bytes)`;
  return `${name}\n${(await readFile(path, "utf8")).slice(0, maxShown)}`;
}
