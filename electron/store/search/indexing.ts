import { indexJob } from "../jobs/index-texts.ts";
import type { JobRunner } from "../jobs/job.ts";

/** How long texts may gather before they are read, in milliseconds. A search reads them at once. */
const delayMs = 2000;

/** Has new texts read into the search index some time after they came, many at once. */
export class Indexing {
  readonly #jobs: JobRunner;
  readonly #reportError: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(jobs: JobRunner, reportError: (error: unknown) => void) {
    this.#jobs = jobs;
    this.#reportError = reportError;
  }

  soon(): void {
    if (this.#timer || this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#read(), delayMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #read(): Promise<void> {
    // What comes from now on may be too late for this reading.
    this.#timer = null;
    try {
      await this.#jobs.run(indexJob, null);
    } catch (error) {
      // Closed meanwhile: the next start reads on.
      if (!this.#isStopped) this.#reportError(error);
    }
  }
}
