import { StoreError } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import { openMemoryDatabase } from "../database/open-database.ts";
import { toStoreError } from "../database/store-errors.ts";
import { checkJob } from "../jobs/check.ts";
import type { Job, JobRunner } from "../jobs/job.ts";
import { rescueJob } from "../jobs/rescue.ts";
import type { StoreThread } from "../thread/store-thread.ts";
import type { Rescued } from "./rescue.ts";
import { asideOf, isToBeFilled, nameAside, setAside } from "./set-aside.ts";

/** What becomes of a damaged database. */
export type MendingNews =
  /** A new one has taken its place, and is being filled. `copy`: where the damaged one is meanwhile. */
  | { type: "began"; copy: string }
  /** `copy`: where the damaged one stays. */
  | { type: "ended"; copy: string; rescued: Rescued }
  /** The next start goes on with it. */
  | { type: "failed"; copy: string; error: unknown }
  /** No new one could take its place; memory stands in for one where the damaged one cannot go on. */
  | { type: "stuck"; error: StoreError };

/** Who else works with the database. */
export interface Mending {
  /** Of a conversation that is not known any more where it worked. */
  workingFolder(): string;
  /** Lets go of the file. */
  letGo(): Promise<void>;
  /** Keeps the conversations that are open as the new database needs them before the rescue has come to them. */
  keepOpen(): void;
  tell(news: MendingNews): void;
}

interface MenderOptions extends Mending {
  database: Database;
  thread: StoreThread;
  /** A new database at the same place. */
  openNew(): Database;
  reportError(error: unknown): void;
}

/** Not while the window opens, in milliseconds. */
const firstCheckMs = 1500;

/**
 * Looks for damage once at the start, and whenever SQLite finds some; both in the store's thread. A damaged database is set
 * aside, and a new one filled with what can be read of it, while the main process works with that.
 */
export class Mender implements JobRunner {
  readonly #options: MenderOptions;
  #whole: Promise<boolean> = Promise.resolve(true);
  #isBusy = false;
  #isClosed = false;
  #first: NodeJS.Timeout | undefined;

  constructor(options: MenderOptions) {
    this.#options = options;
    const { database } = options;
    database.onDamaged = () => void this.#check(true);
    if (isToBeFilled(database.file)) this.#whole = this.#fill();
    else this.#first = setTimeout(() => void this.#check(false), firstCheckMs).unref();
  }

  /** Resolves when everything that could be read is there again; with false when that failed. */
  whenWhole = (): Promise<boolean> => this.#whole;

  async run<A, R>(job: Job<A, R>, args: A): Promise<R> {
    try {
      return await this.#options.thread.run(job, args);
    } catch (error) {
      if (error instanceof StoreError && error.code === "corrupt") void this.#check(true);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#first);
    this.#options.thread.close();
  }

  async #check(isThorough: boolean): Promise<void> {
    if (this.#isBusy || this.#isClosed) return;
    this.#isBusy = true;
    try {
      if (await this.#options.thread.run(checkJob, { isThorough })) await this.#replace();
    } catch (error) {
      if (!this.#isClosed) this.#options.reportError(error);
    }
    this.#isBusy = false;
  }

  async #replace(): Promise<void> {
    const { database, thread, openNew, letGo, keepOpen, tell, reportError } = this.#options;
    let failure: unknown;
    try {
      await Promise.all([thread.renew(), letGo()]);
      if (this.#isClosed) return;
      database.close();
      setAside(database.file);
    } catch (error) {
      if (this.#isClosed) throw error;
      failure = error;
    }
    try {
      // Where the damaged one is still there, what can be read of it still can.
      database.moveTo(openNew());
    } catch (error) {
      failure ??= error;
      database.moveTo(openMemoryDatabase());
    }
    try {
      keepOpen();
    } catch (error) {
      // They come back with the others.
      reportError(error);
    }
    if (failure !== undefined) {
      this.#whole = Promise.resolve(false);
      reportError(failure);
      tell({ type: "stuck", error: toStoreError(failure, database.file) });
      return;
    }
    // What was asked between the two steps opened the damaged file again.
    await Promise.all([thread.renew(), letGo()]);
    this.#whole = this.#fill();
    await this.#whole;
  }

  /** Never rejects. */
  async #fill(): Promise<boolean> {
    const { database, thread, workingFolder, tell, reportError } = this.#options;
    this.#isBusy = true;
    const { file } = database;
    tell({ type: "began", copy: asideOf(file) });
    try {
      let rescued: Rescued;
      let copy: string;
      do {
        rescued = await thread.run(rescueJob, { workingFolder: workingFolder() });
        copy = nameAside(file);
      } while (isToBeFilled(file));
      // It has the search index open, which is another one now.
      await thread.renew();
      tell({ type: "ended", copy, rescued });
    } catch (error) {
      if (this.#isClosed) return false;
      reportError(error);
      tell({ type: "failed", copy: asideOf(file), error });
    }
    this.#isBusy = false;
    return !isToBeFilled(file);
  }
}
