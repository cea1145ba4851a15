import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RecommendedFor } from "../../shared/voice/stt.ts";
import { cacheFolder, modelsFolder } from "../stt-server/models/cache-folder.ts";
import { isRecogniser } from "../stt-server/models/catalogue.ts";
import { hasBundledModel, modelVariable } from "../stt-server/models/model-location.ts";
import { offeredModels } from "../stt-server/models/read-catalogue.ts";
import type { RecommendedModel, SpeechModels } from "../voice/offers/recommended.ts";

/** What of the catalogue is offered before all else, and what is on the disk. Starts no speech server for that. */
export function composeSpeechModels(environment: NodeJS.ProcessEnv): SpeechModels {
  const { models } = offeredModels(environment);
  const recommended: Partial<Record<RecommendedFor, RecommendedModel>> = {};
  for (const { id, name, bytes, languages, recommended: purpose, tried = null } of models) {
    if (!purpose || (tried?.problem ?? null) !== null) continue;
    recommended[purpose] ??= { id, name, bytes, languages, isTried: tried !== null };
  }
  const folder = modelsFolder(environment, process.platform);
  const cache = cacheFolder(environment, process.platform);
  const isHeard = (code: string) =>
    (code !== "auto" && existsSync(join(cache, `model-${code.replace(/[^a-z0-9]/g, "")}`))) ||
    models.some(
      ({ id, kind, languages, detectsLanguage }) =>
        isRecogniser(kind) &&
        (code === "auto" ? detectsLanguage === true : languages.includes(code)) &&
        existsSync(join(folder, id)),
    );
  return {
    recommended,
    hasBasic: hasBundledModel(),
    hasOwn: (environment[modelVariable]?.trim() ?? "") !== "",
    isHeard,
  };
}
