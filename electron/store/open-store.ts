import type { UserError } from "../../shared/conversation/events.ts";
import { StoreError } from "../agent/ports/ports.ts";
import type { SessionStore } from "../agent/ports/session-store.ts";
import type { Durability } from "./database/open-database.ts";
import { openMemoryStore } from "./memory-store.ts";
import type { Mending } from "./rescue/mender.ts";
import { openSqliteStore } from "./sqlite-store.ts";

export interface StoreChoice {
  /** The setting `memoryEnabled`. */
  enabled: boolean;
  file: string;
  /** The setting `durability`. */
  durability?: Durability;
  /** The built program of the store's thread; its source where there is none. */
  threadEntry?: string;
  /** What a damaged database is replaced with; without it, it cannot be used. */
  mending?: Mending;
  reportError(error: unknown): void;
}

/**
 * The database, or memory where that is switched off or the file cannot be used: the app stays up, and the user is
 * told that nothing is kept.
 */
export function openStore({ enabled, file, reportError, ...options }: StoreChoice): {
  store: SessionStore;
  problem: UserError | null;
} {
  const inMemory = () => openMemoryStore(reportError, { indexesByItself: true });
  if (!enabled) return { store: inMemory(), problem: null };
  try {
    return {
      store: openSqliteStore(file, reportError, { ...options, indexesByItself: true }),
      problem: null,
    };
  } catch (error) {
    reportError(error);
    const message = error instanceof Error ? error.message : String(error);
    const notKept = "Conversations are not kept until you restart Parley.";
    const hint = error instanceof StoreError ? `${notKept} ${error.hint}` : notKept;
    return { store: inMemory(), problem: { code: "store", message, hint } };
  }
}
