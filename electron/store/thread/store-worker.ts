import { setImmediate as afterMessages, setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import { connectAgain } from "../database/open-database.ts";
import { toStoreError } from "../database/store-errors.ts";
import type { JobContext } from "../jobs/job.ts";
import { jobs } from "../jobs/jobs.ts";
import { openSearchFile, removeSearchFile } from "../search/search-file.ts";
import { type SearchIndex, searchIndexOf } from "../search/search-index.ts";
import { answerCalls } from "./answer-calls.ts";

// The store's thread: what would hold up the main process is done here. It ends when the main process ends it.

const { file } = z.object({ file: z.string() }).parse(workerData);

/** SQLite asks for a lock again after at most 25 ms: a pause as long as that lets a waiting write in. */
const breathMs = 25;

let opened: Database | undefined;
let indexFile: Database | undefined;
let searched: SearchIndex | undefined;
const database = () => {
  opened ??= connectAgain(file);
  return opened;
};
const context: JobContext = {
  database,
  index() {
    indexFile ??= openSearchFile(file, database);
    searched ??= searchIndexOf(indexFile, database);
    return searched;
  },
  breathe: () => sleep(breathMs),
  letOthersIn: () => afterMessages(),
};

answerCalls(async (name, args) => {
  try {
    const job = jobs.find((known) => known.name === name);
    if (!job)
      throw new StoreError("failed", `The store's thread knows no job ${name}.`, "Start Parley again.");
    const parsed = job.args.parse(args);
    return await job.run(context, parsed).catch((error: unknown) => {
      if (!isIndexDamaged(error)) throw error;
      return job.run(context, parsed);
    });
  } catch (error) {
    throw toStoreError(error, file);
  }
});

/** A damaged page may be met long after the file was opened: the index is made anew then, and the job done again. */
function isIndexDamaged(error: unknown): boolean {
  if (!indexFile || !(error instanceof StoreError) || error.code !== "corrupt") return false;
  indexFile.close();
  removeSearchFile(file);
  [indexFile, searched] = [undefined, undefined];
  return true;
}
