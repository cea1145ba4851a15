import { join } from "node:path";
import type { SessionStore } from "../agent/ports/session-store.ts";
import { finishSealing } from "./checkpoints/seal/seal-old.ts";
import type { Database } from "./database/database.ts";
import { type Durability, makeFolder, openDatabase, openEmptied } from "./database/open-database.ts";
import { toStoreError } from "./database/store-errors.ts";
import { lockStore, type StoreLock } from "./database/store-lock.ts";
import { databaseStore } from "./database-store.ts";
import { migrations } from "./migrations/migrations.ts";
import { Mender, type Mending } from "./rescue/mender.ts";
import { isToBeFilled, setAside } from "./rescue/set-aside.ts";
import { StoreThread } from "./thread/store-thread.ts";

export interface StoreOptions {
  durability?: Durability;
  /** The program of the store's thread, where it is not its source. */
  threadEntry?: string;
  /** Texts are read into the search index as they come, not only when somebody searches. */
  indexesByItself?: boolean;
  /** A damaged file is put aside, and what can be read of it is taken over; without it, it is refused. */
  mending?: Mending;
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
  options: StoreOptions = {},
): SessionStore {
  const { durability = "normal", mending } = options;
  const lock = lockFile(file);
  const onClosed = () => lock.release();
  const open = (database: Database) => storeOn(database, { ...options, reportError, onClosed });
  try {
    try {
      // A rescue may have been cut off before anything was in the new file.
      const isFilling = mending && isToBeFilled(file);
      return open(isFilling ? openEmptied(file, durability) : openDatabase(file, migrations, durability));
    } catch (error) {
      if (!mending || toStoreError(error, file).code !== "corrupt") throw error;
      reportError(error);
    }
    setAside(file);
    return open(openEmptied(file, durability));
  } catch (error) {
    lock.release();
    throw toStoreError(error, file);
  }
}

interface OpenedOptions extends StoreOptions {
  reportError(error: unknown): void;
  onClosed(): void;
}

function storeOn(
  database: Database,
  { durability, threadEntry = threadSource, indexesByItself = false, mending, ...options }: OpenedOptions,
): SessionStore {
  const { file } = database;
  const thread = new StoreThread(file, threadEntry);
  try {
    tidy(() => finishSealing(database), options.reportError);
    if (!mending) return databaseStore({ ...options, database, jobs: thread, indexesByItself });
    // Nobody works with it before all of it was found to be readable.
    const store = databaseStore({
      ...options,
      database,
      jobs: { run: (job, args) => mender.run(job, args), close: () => mender.close() },
      indexesByItself,
      whenWhole: () => mender.whenWhole(),
    });
    const openNew = () => openEmptied(file, durability);
    const mender = new Mender({ ...mending, ...options, database, thread, openNew });
    return store;
  } catch (error) {
    tidy(() => database.close(), options.reportError);
    throw error;
  }
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

/** Work that can wait for the next start. */
function tidy(work: () => void, reportError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    reportError(error);
  }
}
