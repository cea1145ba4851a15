import { createHash, randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { copyFile, link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isModelFolder } from "../models/model-folder.ts";
import { SttError } from "../stt-error.ts";

/**
 * A copy of the model at `source` with our settings in its `conf/model.conf`; the big files are links. It is made
 * once for each model and settings, in `cache`, and appears whole or not at all: any number of processes may ask at
 * the same time.
 * @returns the copy's folder
 * @throws SttError when the cache cannot be written
 */
export async function tunedModelFolder(source: string, cache: string): Promise<string> {
  const conf = tune(await readFile(join(source, "conf", "model.conf"), "utf8"));
  const key = createHash("sha256").update(`${source}\n${conf}`).digest("hex").slice(0, 16);
  const folder = join(cache, "models", key);
  if (await isModelFolder(folder)) return folder;
  const draft = `${folder}.${process.pid}.${randomUUID()}`;
  try {
    await copyModel(source, draft, conf);
    await putInPlace(draft, folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SttError(
      "cache_not_writable",
      `The speech model cannot be prepared in ${cache}: ${why}. Make that folder writable, and see that there is room on the disk.`,
      { cause: error },
    );
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
  return folder;
}

/** Wider beams cost little time here and a quarter of the errors; see `npm run bench -- stt`. */
const settings = {
  beam: "12.0",
  "max-active": "5000",
  // Readings that differ in more than small words, at a twentieth of a second for the end of an utterance.
  "lattice-beam": "8.0",
  // Our endpointer alone ends utterances: libvosk's own silence rules only cut segments, and rarely.
  "endpoint.rule2.min-trailing-silence": "10",
  "endpoint.rule3.min-trailing-silence": "10",
  "endpoint.rule4.min-trailing-silence": "10",
};

/** `conf` with our settings in place of its own. */
export function tune(conf: string): string {
  const ours = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const isOurs = (line: string) =>
    ours.some((setting) => setting.startsWith(`${line.split("=")[0]?.trim()}=`));
  const kept = conf.split(/\r?\n/).filter((line) => line.trim() !== "" && !isOurs(line));
  return `${[...kept, ...ours].join("\n")}\n`;
}

async function copyModel(source: string, target: string, conf: string): Promise<void> {
  await mkdir(join(target, "conf"), { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (entry.name !== "conf") await place(entry, join(source, entry.name), join(target, entry.name));
  }
  for (const entry of await readdir(join(source, "conf"))) {
    if (entry !== "model.conf") await copyFile(join(source, "conf", entry), join(target, "conf", entry));
  }
  await writeFile(join(target, "conf", "model.conf"), conf);
}

/** Links where the platform lets us (Windows: folders always, files on the same disk), else copies. */
async function place(entry: Dirent, source: string, target: string): Promise<void> {
  if (process.platform !== "win32" || entry.isDirectory()) return symlink(source, target, "junction");
  await link(source, target).catch(() => copyFile(source, target));
}

async function putInPlace(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    // Another process was first, or a copy is there whose links lead nowhere any more.
    if (await isModelFolder(folder)) return;
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder).catch(async (again: unknown) => {
      if (!(await isModelFolder(folder))) throw again ?? error;
    });
  }
}
