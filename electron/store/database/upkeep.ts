import type { Settings } from "../../../shared/settings.ts";
import type { PruneRules, SessionStore } from "../../agent/ports/session-store.ts";

export interface UpkeepOptions {
  store: Pick<SessionStore, "prune">;
  settings(): Settings;
  /** Ids of the conversations that are open. */
  open(): readonly string[];
  now(): number;
  reportError(error: unknown): void;
}

/** Not while the window opens, and then a few times a day, in milliseconds. */
const firstMs = 20_000;
const everyMs = 6 * 3_600_000;

/**
 * Removes what is old, by the settings, and what was deleted before this start. The work is done in the store's thread.
 * @returns what ends it
 */
export function startUpkeep({ store, settings, open, now, reportError }: UpkeepOptions): () => void {
  let timer = setTimeout(tidy, firstMs);
  timer.unref();

  function tidy(): void {
    store.prune(rulesOf(settings()), now(), open()).catch((error: unknown) => {
      if (!isEnded) reportError(error);
    });
    timer = setTimeout(tidy, everyMs);
    timer.unref();
  }

  let isEnded = false;
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

/** Switched off, only what the user deleted goes. */
function rulesOf(settings: Settings): PruneRules {
  const limit = (value: number) => (settings.pruneEnabled ? value : 0);
  return {
    sessionDays: limit(settings.pruneSessionDays),
    maxSessions: limit(settings.pruneMaxSessions),
    eventDays: limit(settings.pruneEventDays),
    checkpointDays: limit(settings.pruneCheckpointDays),
    checkpointMb: limit(settings.pruneCheckpointMb),
  };
}
