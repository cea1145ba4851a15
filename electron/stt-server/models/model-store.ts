import { loadPunctuation, type Punctuate, withPunctuation } from "../recognisers/punctuation.ts";
import type { RecogniserModel } from "../recognisers/recogniser.ts";
import { loadSherpaModel } from "../recognisers/sherpa.ts";
import { loadVoskModel } from "../recognisers/vosk.ts";
import { tunedModelFolder } from "../recognisers/vosk-model.ts";
import { SttError } from "../stt-error.ts";
import { isRecogniser } from "./catalogue.ts";
import { detectModel } from "./detect.ts";
import { languageCode, locateGrammarModel, locateModel, type ModelLocation } from "./model-location.ts";
import type { ModelManager } from "./model-manager.ts";

/** Most models kept in memory, some 200 MB each; another one takes the place of the least recently used. */
const maxLoadedModels = 2;

/** A model that can be held to phrases. */
export interface GrammarModel {
  model: RecogniserModel;
  /** Else of English. */
  isOfLanguage: boolean;
}

/** Loads each model once a process and shares it among all sessions. */
export class ModelStore {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #cache: string;
  readonly #manager: ModelManager | undefined;
  readonly #bundled: string | null | undefined;
  readonly #loaded = new Map<string, Promise<RecogniserModel>>();
  /** By folder. */
  readonly #punctuations = new Map<string, Punctuate>();

  /**
   * @param manager the models that can be downloaded, if any
   * @param bundled the folder of the one that comes along, null for none; looked for where it is not given
   */
  constructor(
    environment: NodeJS.ProcessEnv,
    cache: string,
    manager?: ModelManager,
    bundled?: string | null,
  ) {
    this.#bundled = bundled;
    this.#environment = environment;
    this.#cache = cache;
    this.#manager = manager;
  }

  /** @throws SttError when there is no such model, saying how to get one */
  async get(request: { language: string; model?: string | undefined }): Promise<RecogniserModel> {
    const found = await locateModel(request, ...this.#places);
    return this.#open(found, request.language);
  }

  /** A model that can be held to phrases: of the language, else of English. @returns undefined where there is none */
  async grammarModel(language: string): Promise<GrammarModel | undefined> {
    for (const code of new Set([languageCode(language), "en"])) {
      const found = await locateGrammarModel(code, ...this.#places);
      if (!found) continue;
      try {
        return { model: await this.#open(found, code), isOfLanguage: code === languageCode(language) };
      } catch (error) {
        console.error(`No words to stop with ${found.name}:`, error);
      }
    }
    return undefined;
  }

  get #places() {
    return [this.#environment, this.#cache, this.#manager, this.#bundled] as const;
  }

  async #open({ name, folder }: ModelLocation, language: string): Promise<RecogniserModel> {
    // One model may hear several languages, but is told which when it is loaded.
    const key = `${folder}\n${language}`;
    const loading = this.#loaded.get(key) ?? this.#load(key, folder, name, language);
    // Last in the map is the most recently used.
    this.#loaded.delete(key);
    this.#loaded.set(key, loading);
    this.#makeRoom();
    const model = await loading;
    const punctuate = model.writesPlainWords ? await this.#punctuation(language) : undefined;
    return punctuate ? withPunctuation(model, punctuate) : model;
  }

  /** What was downloaded for the language; one that cannot be loaded costs the punctuation, never the words. */
  async #punctuation(language: string): Promise<Punctuate | undefined> {
    for (const { id, kind, languages } of this.#manager?.catalogue ?? []) {
      if (kind !== "punctuation" || !languages.includes(languageCode(language))) continue;
      const folder = await this.#manager?.installed(id);
      if (folder === undefined) continue;
      try {
        const known = this.#punctuations.get(folder) ?? loadPunctuation(await detectModel(folder), id);
        this.#punctuations.set(folder, known);
        return known;
      } catch (error) {
        console.error("No punctuation:", error);
      }
    }
    return undefined;
  }

  async #load(key: string, folder: string, name: string, language: string): Promise<RecogniserModel> {
    try {
      const detected = await detectModel(folder);
      if (!isRecogniser(detected.kind)) {
        throw new SttError("unknown_model", `${folder} holds no model that recognises speech.`);
      }
      if (detected.kind !== "vosk") return await loadSherpaModel(detected, name, language);
      return await loadVoskModel(await tunedModelFolder(folder, this.#cache), name);
    } catch (error) {
      // The next session tries again: the folder may have been repaired.
      this.#loaded.delete(key);
      throw error;
    }
  }

  /** Frees what is loaded; it is loaded again when somebody listens. No session may go on. */
  release(): void {
    for (const loading of this.#loaded.values())
      loading.then((model) => model.dispose()).catch(() => undefined);
    this.#loaded.clear();
    this.#punctuations.clear();
  }

  #makeRoom(): void {
    for (const [key, loading] of this.#loaded) {
      if (this.#loaded.size <= maxLoadedModels) return;
      this.#loaded.delete(key);
      loading.then((model) => model.dispose()).catch(() => undefined);
    }
  }
}
