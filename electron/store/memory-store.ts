import type { SessionStore } from "../agent/ports/session-store.ts";
import { openMemoryDatabase } from "./database/open-database.ts";
import { databaseStore } from "./database-store.ts";
import { JobsInMemory } from "./jobs/jobs-in-memory.ts";

/**
 * Conversations for as long as Parley runs: where memory is switched off, and where the database cannot be opened. Nothing
 * of it is written to disk.
 * @param reportError gets what failed while nobody waited
 */
export function openMemoryStore(
  reportError: (error: unknown) => void,
  { indexesByItself = false }: { indexesByItself?: boolean } = {},
): SessionStore {
  const database = openMemoryDatabase();
  const jobs = new JobsInMemory(database);
  return {
    ...databaseStore({ database, jobs, indexesByItself, reportError, onClosed() {} }),
    /** All of it goes when Parley ends. */
    prune: async () => ({ sessions: 0, events: 0, checkpoints: 0 }),
  };
}
