import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { SttError, toSttError } from "../stt-error.ts";
import type { CatalogueModel, ModelFile } from "./catalogue.ts";
import { detectModel } from "./detect.ts";
import { downloadFile, partOf } from "./download.ts";
import type { OfferedModel } from "./tried-models.ts";
import { unpackZip } from "./unpack.ts";

export interface ManagerOptions {
  /** Where models are put, one folder each. */
  folder: string;
  catalogue: readonly OfferedModel[];
  /** Why there is no catalogue. */
  problem?: SttError | null;
  fetch: typeof fetch;
  clock: Clock;
  /** A file has arrived whole, and lies at `path` until the next one is fetched. */
  onFile?(file: ModelFile, path: string): Promise<void>;
}

/** How a model of the catalogue stands; `done` is what of the download is on the disk, in bytes. */
export type ModelState =
  | { state: "available" }
  | { state: "paused"; done: number }
  | { state: "downloading"; done: number }
  | { state: "failed"; done: number; message: string }
  | { state: "installed"; folder: string };

interface Download {
  abort: AbortController;
  ended: Promise<void>;
  error: SttError | null;
}

/** Downloads, keeps and deletes the models of the catalogue. A model is there whole or not at all. */
export class ModelManager {
  readonly #options: ManagerOptions;
  readonly #downloads = new Map<string, Download>();
  /** Of a model the last pause or deletion: the next download begins when it has ended. */
  readonly #endings = new Map<string, Promise<void>>();

  constructor(options: ManagerOptions) {
    this.#options = options;
  }

  get catalogue(): readonly OfferedModel[] {
    return this.#options.catalogue;
  }

  /** Why the catalogue is empty, and what to do; null where it is as it should be. */
  get problem(): SttError | null {
    return this.#options.problem ?? null;
  }

  /** Some download is under way. */
  get isDownloading(): boolean {
    return [...this.#downloads.values()].some(({ error }) => error === null);
  }

  async state(id: string): Promise<ModelState> {
    const model = this.#find(id);
    const folder = this.#folderOf(id);
    if (await isThere(folder)) return { state: "installed", folder };
    const done = await this.#done(model);
    const download = this.#downloads.get(id);
    if (download?.error) return { state: "failed", done, message: download.error.message };
    if (download) return { state: "downloading", done };
    // Also what an earlier process left there.
    return done > 0 ? { state: "paused", done } : { state: "available" };
  }

  /** The folder of an installed model; undefined when it is not there. */
  async installed(id: string): Promise<string | undefined> {
    const state = await this.state(id);
    return state.state === "installed" ? state.folder : undefined;
  }

  /**
   * Begins a download, or goes on with one; a second call joins the first. Resolves when the model is installed.
   * @throws SttError saying what to do; the signal's reason after `pause`
   */
  async download(id: string): Promise<void> {
    const model = this.#find(id);
    // Before anything is awaited: whoever asks for its state now hears that it is being downloaded.
    const running = this.#downloads.get(id);
    if (running && !running.error && !running.abort.signal.aborted) return running.ended;
    const abort = new AbortController();
    const download: Download = { abort, ended: Promise.resolve(), error: null };
    this.#downloads.set(id, download);
    download.ended = this.#run(model, download);
    return download.ended;
  }

  /** Ends a download; what was fetched is kept for the next time. */
  async pause(id: string): Promise<void> {
    await this.#end(id, []);
  }

  /** Takes the model off the disk, and what there is of an unfinished download. */
  async delete(id: string): Promise<void> {
    await this.#end(id, [this.#folderOf(id), this.#draftOf(id)]);
  }

  /** @param folders to be removed then */
  async #end(id: string, folders: readonly string[]): Promise<void> {
    this.#find(id);
    const download = this.#downloads.get(id);
    const before = this.#endings.get(id);
    download?.abort.abort(new SttError("paused", "The download was stopped. Start it again to continue."));
    const work = async () => {
      await before;
      await download?.ended.catch(() => undefined);
      // Another one may wait for this end.
      if (this.#downloads.get(id) === download) this.#downloads.delete(id);
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    };
    const ending = work();
    this.#endings.set(
      id,
      ending.catch(() => undefined),
    );
    await ending;
  }

  async #run(model: CatalogueModel, download: Download): Promise<void> {
    const draft = this.#draftOf(model.id);
    try {
      await this.#endings.get(model.id);
      download.abort.signal.throwIfAborted();
      if (!(await isThere(this.#folderOf(model.id)))) {
        for (const file of model.files) await this.#fetch(model, file, download);
        const content = join(draft, "content");
        await detectModel(content);
        await mkdir(this.#options.folder, { recursive: true });
        await rename(content, this.#folderOf(model.id));
        await rm(draft, { recursive: true, force: true });
      }
      this.#downloads.delete(model.id);
    } catch (error) {
      download.error = toSttError(error);
      throw download.error;
    }
  }

  async #fetch(model: CatalogueModel, file: ModelFile, download: Download): Promise<void> {
    const target = this.#targetOf(model, file);
    const { fetch, clock, onFile } = this.#options;
    if (!(await isThere(target))) {
      await downloadFile(file, target, { fetch, clock, signal: download.abort.signal });
    }
    await onFile?.(file, target);
    if (!isArchive(file)) return;
    const content = join(this.#draftOf(model.id), "content");
    await rm(content, { recursive: true, force: true });
    try {
      await unpackZip(target, content);
    } catch (error) {
      const isDamaged = error instanceof SttError && error.kind === "bad_download";
      if (isDamaged) await rm(target, { force: true });
      throw error;
    }
  }

  async #done(model: CatalogueModel): Promise<number> {
    const targets = model.files.map((file) => this.#targetOf(model, file));
    const sizes = await Promise.all(
      targets.map(async (path) => (await sizeOf(path)) ?? sizeOf(partOf(path))),
    );
    return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  }

  #targetOf(model: CatalogueModel, file: ModelFile): string {
    return join(this.#draftOf(model.id), isArchive(file) ? "archive" : "content", file.name);
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
    if (this.problem) throw this.problem;
    const known = this.#options.catalogue.map((one) => one.id).join(", ");
    throw new SttError("unknown_model", `There is no speech model “${id}” to download. There are: ${known}.`);
  }
}

const isArchive = (file: ModelFile) => file.name.endsWith(".zip");

const isThere = async (path: string) => (await sizeOf(path)) !== undefined;

/** In bytes; undefined where there is nothing. */
async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}
