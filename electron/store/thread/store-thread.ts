import { Worker } from "node:worker_threads";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Job } from "../jobs/job.ts";
import { threadAnswer } from "./thread-protocol.ts";

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The thread in which the store searches, indexes, prunes and backs up, beside the main process's own connection. It
 * starts with the first job; one that dies fails the jobs it had, and the next job starts another.
 */
export class StoreThread {
  readonly #file: string;
  readonly #entry: string;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;
  #isClosed = false;

  /** @param entry the program of the thread, as an absolute path */
  constructor(file: string, entry: string) {
    this.#file = file;
    this.#entry = entry;
  }

  /** @throws StoreError by the promise */
  async run<A, R>(job: Job<A, R>, args: A): Promise<R> {
    if (this.#isClosed) throw ended("The store was closed.");
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    // Only a job that is waited for keeps the process alive.
    worker.ref();
    worker.postMessage({ id, job: job.name, args });
    return job.result.parse(await answer);
  }

  /** Jobs under way fail. */
  close(): void {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = null;
    this.#failAll(ended("The store was closed."));
    void worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: { file: this.#file }, execArgv: [] });
    worker.on("message", (message: unknown) => {
      const answer = threadAnswer.parse(message);
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if (this.#pending.size === 0) worker.unref();
      if (answer.ok) pending?.resolve(answer.value);
      else pending?.reject(answer.error);
    });
    worker.on("error", (error) => this.#onEnd(worker, error));
    worker.on("exit", () => this.#onEnd(worker, undefined));
    return worker;
  }

  #onEnd(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#failAll(ended("The store's thread ended unexpectedly.", error));
  }

  #failAll(error: StoreError): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

function ended(message: string, cause?: unknown): StoreError {
  return new StoreError("failed", message, "Try again; what was kept before is untouched.", { cause });
}
