import type { Job, JobRunner } from "../jobs/job.ts";
import { WorkerCalls } from "./worker-calls.ts";

/** It is wanted at a search, and a few times a day; in milliseconds. */
const restMs = 20_000;

/** The thread in which the store searches, indexes, prunes and backs up, beside the main process's own connection. */
export class StoreThread implements JobRunner {
  readonly #calls: WorkerCalls;

  /** @param entry the program of the thread, as an absolute path */
  constructor(file: string, entry: string) {
    this.#calls = new WorkerCalls({ name: "The store's thread", entry, data: () => ({ file }), restMs });
  }

  async run<A, R>(job: Job<A, R>, args: A): Promise<R> {
    return job.result.parse(await this.#calls.call(job.name, args));
  }

  /** Lets go of the file. Jobs under way fail. */
  renew(): Promise<void> {
    return this.#calls.renew();
  }

  close(): void {
    void this.#calls.close();
  }
}
