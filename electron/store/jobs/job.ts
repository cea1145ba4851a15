import type { ZodType } from "zod";
import type { Database } from "../database/database.ts";
import type { SearchIndex } from "../search/search-index.ts";

/** What a job finds where it is done. Both are opened when they are first asked for. */
export interface JobContext {
  /** A connection of its own to the file. Transactions last 10 ms at most, with a `breathe` between two: main waits for them. */
  database(): Database;
  index(): SearchIndex;
  /** Between two writes to the file: lets the main process's own, and other jobs, go in between. */
  breathe(): Promise<void>;
  /** Between two steps that do not write to the file: lets other jobs go in between. */
  letOthersIn(): Promise<void>;
}

/** Work that is done in the store's thread; on a database in memory, where that is. One file each, one line in `jobs.ts`. */
export interface Job<A = unknown, R = unknown> {
  readonly name: string;
  /** Both cross the border between two threads, so both must survive a structured clone. */
  readonly args: ZodType<A>;
  readonly result: ZodType<R>;
  /** May throw StoreError, which the caller's promise then rejects with. */
  run(context: JobContext, args: A): Promise<R>;
}

/** Whoever has jobs done. */
export interface JobRunner {
  /** @throws StoreError by the promise */
  run<A, R>(job: Job<A, R>, args: A): Promise<R>;
  /** Jobs under way fail. */
  close(): void;
}
