import { mkdir, realpath } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SttError } from "../stt-error.ts";

/**
 * Paths that clients give. What the system keeps there is no file of sound: some of it never answers who reads or
 * writes it. And whoever runs the server may confine its clients to folders.
 */

/** The variable that lists the folders; without it, whatever the server's user may read and write. */
const foldersVariable = "PARLEY_STT_FOLDERS";
const systemFolders = ["/proc", "/sys", "/dev"];

/**
 * Where the links of a path lead: that is what may be opened.
 * @throws SttError where it may not be read; otherwise as `realpath` does
 */
export async function allowedFile(path: string): Promise<string> {
  const folders = await allowedFolders();
  const place = await realpath(path).catch((error: unknown) => {
    // What is not there is told only where the client may look.
    checkAllowed(path, resolve(path), folders);
    throw error;
  });
  checkAllowed(path, place, folders);
  return place;
}

/**
 * Makes a folder, and those above it, a step at a time.
 * @returns where it is, without links @throws SttError where nothing may be written; otherwise as `mkdir` does
 */
export async function allowedFolder(path: string): Promise<string> {
  const folders = await allowedFolders();
  const missing: string[] = [];
  let there = resolve(path);
  let place = await placeOf(there);
  while (place === null) {
    missing.unshift(there);
    there = dirname(there);
    place = await placeOf(there);
  }
  const folder = join(place, ...missing.map((one) => relative(dirname(one), one)));
  checkAllowed(path, folder, folders);
  // Not `recursive`: below some folders of the system that tries for ever.
  for (const one of missing) {
    await mkdir(join(place, relative(there, one))).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  }
  return folder;
}

/** @returns null where there is nothing */
async function placeOf(path: string): Promise<string | null> {
  return await realpath(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" && dirname(path) !== path) return null;
    throw error;
  });
}

function checkAllowed(path: string, place: string, folders: readonly string[] | null): void {
  if (systemFolders.some((folder) => isBelow(place, folder)) && !isBelow(place, "/dev/shm")) {
    throw new SttError("system_path", `${path} belongs to the system. Give a path of your own.`);
  }
  if (folders && !folders.some((folder) => isBelow(place, folder))) {
    throw new SttError(
      "outside",
      `${path} is outside of the folders that this server may use (${foldersVariable}). Give a path in one of them.`,
    );
  }
}

/** @returns null: all; those that are not there yet count as they are written */
async function allowedFolders(): Promise<string[] | null> {
  const listed = process.env[foldersVariable]?.split(delimiter).filter((folder) => folder !== "") ?? [];
  if (listed.length === 0) return null;
  return await Promise.all(listed.map((folder) => realpath(folder).catch(() => resolve(folder))));
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);
