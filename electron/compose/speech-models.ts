import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SpeechErrors } from "../../shared/voice/speech-offer.ts";
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
  for (const { id, name, bytes, languages, recommended: purpose, tried = null, wordErrorRate } of models) {
    if (!purpose || (tried?.problem ?? null) !== null) continue;
    const errors = errorsOf(tried?.word_error_rate, wordErrorRate);
    recommended[purpose] ??= { id, name, bytes, languages, isTried: tried !== null, errors };
  }
  const folder = modelsFolder(environment, process.platform);
  const cache = cacheFolder(environment, process.platform);
  const isHeardWell = (code: string) =>
    models.some(
      ({ id, kind, languages, detectsLanguage }) =>
        isRecogniser(kind) &&
        kind !== "vosk" &&
        (code === "auto" ? detectsLanguage === true : languages.includes(code)) &&
        existsSync(join(folder, id)),
    );
  const isVosk = (code: string, isWanted = (_id: string) => true) =>
    models.find(({ id, kind, languages }) => kind === "vosk" && languages.includes(code) && isWanted(id));
  const isHeard = (code: string) =>
    (code === "en" && hasBundledModel()) ||
    existsSync(join(cache, `model-${code.replace(/[^a-z0-9]/g, "")}`)) ||
    isVosk(code, (id) => existsSync(join(folder, id))) !== undefined;
  return {
    recommended,
    hasOwn: (environment[modelVariable]?.trim() ?? "") !== "",
    isHeard,
    isHeardWell,
    companion: (code) => {
      if (isHeard(code)) return null;
      // English words to stop are better than none.
      const model = isVosk(code) ?? (isHeard("en") ? undefined : isVosk("en"));
      return model ? { id: model.id, name: model.name, bytes: model.bytes } : null;
    },
  };
}

/** What was measured here goes before what its maker says. */
function errorsOf(tried: number | null | undefined, published: number | undefined): SpeechErrors | null {
  if (tried != null) return { rate: tried, by: "us" };
  return published === undefined ? null : { rate: published, by: "maker" };
}
