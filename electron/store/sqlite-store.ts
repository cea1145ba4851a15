import { join } from "node:path";
import type { SessionStore } from "../agent/ports/session-store.ts";
import { finishSealing } from "./checkpoints/seal/seal-old.ts";
import type { Database } from "./database/database.ts";
import { type Durability, makeFolder, openDatabase } from "./database/open-database.ts";
import { toStoreError } from "./database/store-errors.ts";
import { lockStore, type StoreLock } from "./database/store-lock.ts";
import { databaseStore } from "./database-store.ts";
import { migrations } from "./migrations/migrations.ts";
import { StoreThread } from "./thread/store-thread.ts";

export interface StoreOptions {
  durability?: Durability;
  /** The program of the store's thread, where it is not its source. */
  threadEntry?: string;
  /** Texts are read into the search index as they come, not only when somebody searches. */
  indexesByItself?: boolean;
}

/**
 * Opens the database of conversations, which is made if it is not there; no other process can then. What a write
 * returned from survives the death of the process.
 * @param reportError gets what failed while nobody waited: log rows that could not be written
 * @throws StoreError when the file cannot be used; `openMemoryStore` can stand in for it then
 */
export function openSqliteStore(
  file: string,
  reportError: (error: unknown) => void,
  { durability = "normal", threadEntry = threadSource, indexesByItself = false }: StoreOptions = {},
): SessionStore {
  const lock = lockFile(file);
  const database = openOrRelease(lock, () => openDatabase(file, migrations, durability));
  tidy(() => finishSealing(database), reportError);
  return databaseStore({
    database,
    jobs: new StoreThread(file, threadEntry),
    indexesByItself,
    reportError,
    onClosed: () => lock.release(),
  });
}

const threadSource = join(import.meta.dirname, "thread/store-worker-source.mjs");

function lockFile(file: string): StoreLock {
  makeFolder(file);
  try {
    return lockStore(file);
  } catch (error) {
    throw toStoreError(error, file);
  }
}

function openOrRelease(lock: StoreLock, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Work that can wait for the next start. */
function tidy(work: () => void, reportError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    reportError(error);
  }
}
