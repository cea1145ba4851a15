import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { SttError, toSttError } from "../stt-error.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { detectModel } from "./detect.ts";
import { downloadFile } from "./download.ts";
import { unpackZip } from "./unpack.ts";

export interface ManagerOptions {
  /** Where models are put, one folder each. */
  folder: string;
  catalogue: readonly CatalogueModel[];
  fetch: typeof fetch;
  clock: Clock;
}

/** How a model of the catalogue stands; `done` and `total` in bytes. */
export type ModelState =
  | { state: "available" }
  | { state: "downloading"; done: number; total: number | null }
  | { state: "failed"; message: string }
  | { state: "installed"; folder: string };

interface Download {
  abort: AbortController;
  done: Map<string, number>;
  ended: Promise<void>;
  error: SttError | null;
}

/** Downloads, keeps and deletes the models of the catalogue. A model is there whole or not at all. */
export class ModelManager {
  readonly #options: ManagerOptions;
  readonly #downloads = new Map<string, Download>();

  constructor(options: ManagerOptions) {
    this.#options = options;
  }

  get catalogue(): readonly CatalogueModel[] {
    return this.#options.catalogue;
  }

  async state(id: string): Promise<ModelState> {
    const model = this.#find(id);
    const folder = this.#folderOf(id);
    if (await isThere(folder)) return { state: "installed", folder };
    const download = this.#downloads.get(id);
    if (!download) return { state: "available" };
    if (download.error) return { state: "failed", message: download.error.message };
    const done = [...download.done.values()].reduce((sum, bytes) => sum + bytes, 0);
    return { state: "downloading", done, total: model.bytes };
  }

  /** The folder of an installed model; undefined when it is not there. */
  async installed(id: string): Promise<string | undefined> {
    const state = await this.state(id);
    return state.state === "installed" ? state.folder : undefined;
  }

  /**
   * Begins a download, or goes on with one; a second call joins the first. Resolves when the model is installed.
   * @throws SttError saying what to do; the signal's reason after `cancel`
   */
  async download(id: string): Promise<void> {
    const model = this.#find(id);
    if (await isThere(this.#folderOf(id))) return;
    const running = this.#downloads.get(id);
    if (running && !running.error) return running.ended;
    const abort = new AbortController();
    const download: Download = { abort, done: new Map(), ended: Promise.resolve(), error: null };
    this.#downloads.set(id, download);
    download.ended = this.#run(model, download);
    return download.ended;
  }

  /** Ends a download; what was fetched is kept for the next time. */
  async cancel(id: string): Promise<void> {
    const download = this.#downloads.get(id);
    download?.abort.abort(new SttError("cancelled", "The download was ended. Begun again, it goes on."));
    await download?.ended.catch(() => undefined);
    this.#downloads.delete(id);
  }

  /** Takes the model off the disk, and what there is of an unfinished download. */
  async delete(id: string): Promise<void> {
    this.#find(id);
    await this.cancel(id);
    await rm(this.#folderOf(id), { recursive: true, force: true });
    await rm(this.#draftOf(id), { recursive: true, force: true });
  }

  async #run(model: CatalogueModel, download: Download): Promise<void> {
    const draft = this.#draftOf(model.id);
    try {
      for (const file of model.files) await this.#fetch(model, file, download);
      const content = join(draft, "content");
      await detectModel(content);
      await mkdir(this.#options.folder, { recursive: true });
      await rename(content, this.#folderOf(model.id));
      await rm(draft, { recursive: true, force: true });
      this.#downloads.delete(model.id);
    } catch (error) {
      download.error = toSttError(error);
      throw download.error;
    }
  }

  async #fetch(
    model: CatalogueModel,
    file: CatalogueModel["files"][number],
    download: Download,
  ): Promise<void> {
    const draft = this.#draftOf(model.id);
    const isArchive = file.name.endsWith(".zip");
    const target = join(draft, isArchive ? "archive" : "content", file.name);
    const { fetch, clock } = this.#options;
    if (!(await isThere(target))) {
      await downloadFile(file, target, {
        fetch,
        clock,
        signal: download.abort.signal,
        onProgress: (bytes) => download.done.set(file.name, bytes),
      });
    }
    download.done.set(file.name, (await stat(target)).size);
    if (!isArchive) return;
    await rm(join(draft, "content"), { recursive: true, force: true });
    try {
      await unpackZip(target, join(draft, "content"));
    } catch (error) {
      const isDamaged = error instanceof SttError && error.kind === "bad_download";
      if (isDamaged) await rm(target, { force: true });
      throw error;
    }
  }

  #folderOf(id: string): string {
    return join(this.#options.folder, id);
  }

  #draftOf(id: string): string {
    return join(this.#options.folder, `${id}.download`);
  }

  #find(id: string): CatalogueModel {
    const model = this.#options.catalogue.find((one) => one.id === id);
    if (model) return model;
    const known = this.#options.catalogue.map((one) => one.id).join(", ");
    throw new SttError("unknown_model", `There is no speech model “${id}” to download. There are: ${known}.`);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
