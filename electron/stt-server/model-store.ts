import { locateModel } from "./model-location.ts";
import type { RecogniserModel } from "./recogniser.ts";
import { loadVoskModel } from "./vosk.ts";
import { tunedModelFolder } from "./vosk-model.ts";

/** Most models kept in memory, some 200 MB each; another one takes the place of the least recently used. */
const maxLoadedModels = 2;

/** Loads each model once a process and shares it among all sessions. */
export class ModelStore {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #cache: string;
  readonly #loaded = new Map<string, Promise<RecogniserModel>>();

  constructor(environment: NodeJS.ProcessEnv, cache: string) {
    this.#environment = environment;
    this.#cache = cache;
  }

  /** @throws SttError when there is no such model, saying how to get one */
  async get(request: { language: string; model?: string | undefined }): Promise<RecogniserModel> {
    const { name, folder } = await locateModel(request, this.#environment, this.#cache);
    const loading = this.#loaded.get(folder) ?? this.#load(folder, name);
    // Last in the map is the most recently used.
    this.#loaded.delete(folder);
    this.#loaded.set(folder, loading);
    this.#makeRoom();
    return loading;
  }

  async #load(folder: string, name: string): Promise<RecogniserModel> {
    try {
      return await loadVoskModel(await tunedModelFolder(folder, this.#cache), name);
    } catch (error) {
      // The next session tries again: the folder may have been repaired.
      this.#loaded.delete(folder);
      throw error;
    }
  }

  #makeRoom(): void {
    for (const [folder, loading] of this.#loaded) {
      if (this.#loaded.size <= maxLoadedModels) return;
      this.#loaded.delete(folder);
      loading.then((model) => model.dispose()).catch(() => undefined);
    }
  }
}
