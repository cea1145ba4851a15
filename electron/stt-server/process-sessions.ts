import { randomUUID } from "node:crypto";
import type { SttLevel } from "../../shared/stt.ts";
import type { AudioInputs } from "./audio-inputs.ts";
import { cacheFolder } from "./cache-folder.ts";
import type { Clock } from "./clock.ts";
import { ModelStore } from "./model-store.ts";
import { Sessions } from "./sessions.ts";

/** The sessions of this process. The default model begins to load at once, so that the first start is quick. */
export function processSessions(
  inputs: AudioInputs,
  clock: Clock,
  onLevel?: (level: SttLevel) => void,
): Sessions {
  const models = new ModelStore(process.env, cacheFolder(process.env, process.platform));
  // A failure is told to whoever starts a session.
  models.get({ language: "en" }).catch(() => undefined);
  return new Sessions({
    inputs,
    models,
    clock,
    newId: () => `stt-${randomUUID()}`,
    ...(onLevel ? { onLevel } : {}),
  });
}
