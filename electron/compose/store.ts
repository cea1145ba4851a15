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
  base: Base;
  secrets: AppSecrets;
  disposal: Disposal;
  /** A built file, by its path below the output folder. */
  built(path: string): string;
  /** The conversations that are open: what is not to be pruned. */
  openIds(): string[];
}

/** What is kept: conversations, and files as they were. */
export function composeStore({ base, secrets, disposal, built, openIds }: ComposeStoreOptions) {
  const { userData, settings, reportError, newId, problems } = base;
  const { memoryEnabled, durability } = settings.current();
  const file = join(userData, "parley.db");
  const threadEntry = built("main/store-worker.js");
  const { store, problem } = openStore({
    enabled: memoryEnabled,
    file,
    durability,
    threadEntry,
    reportError,
  });
  disposal.defer(() => store.close());
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
  checkpoints?.sealOld().catch(reportError);
  return { store, isKept, checkpoints, files: new SessionFiles({ store, newId, now }) };
}
