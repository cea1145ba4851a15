import { randomUUID } from "node:crypto";
import type { SttLevel } from "../../../shared/voice/stt.ts";
import type { AudioInputs } from "../audio/audio-inputs.ts";
import type { Clock } from "../clock.ts";
import { cacheFolder, modelsFolder } from "../models/cache-folder.ts";
import { ModelManager } from "../models/model-manager.ts";
import { ModelStore } from "../models/model-store.ts";
import { offeredModels } from "../models/read-catalogue.ts";
import { Sessions } from "./sessions.ts";

/** The sessions of this process. The default model begins to load at once, so that the first start is quick. */
export function processSessions(
  inputs: AudioInputs,
  clock: Clock,
  fetch: typeof globalThis.fetch,
  onLevel?: (level: SttLevel) => void,
): Sessions {
  const cache = cacheFolder(process.env, process.platform);
  const { models: catalogue, problem } = offeredModels(process.env);
  const manager = new ModelManager({
    folder: modelsFolder(process.env, process.platform),
    catalogue,
    problem,
    fetch,
    clock,
  });
  const models = new ModelStore(process.env, cache, manager);
  // A failure is told to whoever starts a session.
  models.get({ language: "en" }).catch(() => undefined);
  return new Sessions({
    inputs,
    models,
    manager,
    clock,
    newId: () => `stt-${randomUUID()}`,
    ...(onLevel ? { onLevel } : {}),
  });
}
