import { join } from "node:path";
import { systemClock } from "../agent/conversation/system-clock.ts";
import type { AppSecrets } from "../desktop/shell/app-secrets.ts";
import { openCheckpoints } from "../store/checkpoints/thread/open-checkpoints.ts";
import { startUpkeep } from "../store/database/upkeep.ts";
import { SessionFiles } from "../store/exchange/session-files.ts";
import { openStore } from "../store/open-store.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";

export interface ComposeStoreOptions {
  base: Pick<Base, "userData" | "settings" | "reportError" | "newId" | "problems">;
  secrets: Pick<AppSecrets, "sealKey">;
  disposal: Disposal;
  /** A built file, by its path below the output folder. */
  built(path: string): string;
  /** The conversations that are open: what is not to be pruned. */
  openIds(): string[];
}

/** Of all conversations. @param userData the user-data folder */
export const databaseFile = (userData: string): string => join(userData, "parley.db");

/** What is kept: conversations, and files as they were. */
export function composeStore({ base, secrets, disposal, built, openIds }: ComposeStoreOptions) {
  const { userData, settings, reportError, newId, problems } = base;
  const { memoryEnabled, durability } = settings.current();
  const file = databaseFile(userData);
  const threadEntry = built("main/store-worker.js");
  const { store, problem } = openStore({
    enabled: memoryEnabled,
    file,
    durability,
    threadEntry,
    reportError,
  });
  disposal.defer(() => store.close());
  const stopAdopting = settings.onChange((changed) => {
    if (changed.has("durability")) store.setDurability(settings.current().durability);
  });
  disposal.defer(stopAdopting);
  if (problem) problems.report(problem);
  const isKept = memoryEnabled && !problem;
  const now = systemClock.now;
  disposal.defer(startUpkeep({ store, settings: settings.current, open: openIds, now, reportError }));
  const entry = built("main/checkpoint-thread.js");
  const keyPlace = secrets.sealKey;
  const checkpoints = isKept
    ? openCheckpoints({ file, entry, settings: settings.current, keyPlace, reportError })
    : null;
  disposal.defer(() => checkpoints?.close());
  checkpoints?.settleCutOff().catch(reportError);
  checkpoints?.sealOld().catch(reportError);
  return { store, isKept, checkpoints, files: new SessionFiles({ store, newId, now }) };
}
