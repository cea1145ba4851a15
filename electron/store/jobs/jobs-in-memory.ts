import { setImmediate as afterEvents } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { toStoreError } from "../database/store-errors.ts";
import { addSearchIndex } from "../search/search-file.ts";
import { type SearchIndex, searchIndexOf } from "../search/search-index.ts";
import type { Job, JobContext, JobRunner } from "./job.ts";

/** Does jobs on a database in memory, which no thread but its own can reach. */
export class JobsInMemory implements JobRunner {
  readonly #database: Database;
  readonly #context: JobContext;
  #index: SearchIndex | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#context = {
      database: () => database,
      index: () => {
        this.#index ??= searchIndexOf(addSearchIndex(database), () => database);
        return this.#index;
      },
      breathe: () => afterEvents(),
      letOthersIn: () => afterEvents(),
    };
  }

  async run<A, R>(job: Job<A, R>, args: A): Promise<R> {
    try {
      return await job.run(this.#context, args);
    } catch (error) {
      throw toStoreError(error, this.#database.file);
    }
  }

  /** Those under way fail by themselves, with the database. */
  close(): void {}
}
