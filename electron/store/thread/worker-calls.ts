import { Worker } from "node:worker_threads";
import { StoreError } from "../../agent/ports/ports.ts";
import { type WorkerCall, workerAnswer } from "./worker-messages.ts";

export interface WorkerCallsOptions {
  /** Said of it where it fails, such as `The store's thread`. */
  name: string;
  /** The thread's program, as an absolute path. */
  entry: string;
  /** What it gets at its start. */
  data(): Record<string, unknown>;
  /** Without a call for so long, in milliseconds, the thread ends and gives back its memory; without it, it stays. */
  restMs?: number;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Calls into a thread of its own, which is started by the first one, and again after it rested. One that dies fails the calls that it had, and the
 * next one starts another.
 */
export class WorkerCalls {
  readonly #options: WorkerCallsOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  /** Shared with the thread: 1 once it has to end. */
  #isOver: Int32Array = new Int32Array(0);
  #lastId = 0;
  #isClosed = false;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: WorkerCallsOptions) {
    this.#options = options;
  }

  /** @param args survive a structured clone, as the answer does @throws what the thread threw, by the promise */
  async call(method: string, args: unknown): Promise<unknown> {
    if (this.#isClosed) throw ended(`${this.#options.name} was closed.`);
    clearTimeout(this.#resting);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    // Only a call that is waited for keeps the process alive.
    worker.ref();
    try {
      worker.postMessage({ id, method, args } satisfies WorkerCall);
    } catch (error) {
      this.#forget(worker, id);
      throw error;
    }
    return await answer;
  }

  /** Calls under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.renew();
  }

  /** Ends the thread, with all that it has open: the next call starts another. Calls under way fail. */
  async renew(): Promise<void> {
    clearTimeout(this.#resting);
    const worker = this.#worker;
    this.#worker = null;
    this.#failAll(ended(`${this.#options.name} was closed.`));
    if (!worker) return;
    // Between two calls of its own: SQLite's library aborts the whole process where a thread is stopped within one.
    const exit = new Promise((resolve) => worker.once("exit", resolve));
    Atomics.store(this.#isOver, 0, 1);
    worker.postMessage(null);
    await exit;
  }

  #start(): Worker {
    const isOver = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.#isOver = isOver;
    const workerData = { ...this.#options.data(), isOver };
    const worker = new Worker(this.#options.entry, { workerData, execArgv: [] });
    worker.on("message", (message: unknown) => {
      // It finishes the call that it was in when it had to end.
      if (this.#worker !== worker) return;
      const parsed = workerAnswer.safeParse(message);
      if (!parsed.success) {
        this.#onEnd(worker, parsed.error);
        void worker.terminate();
        return;
      }
      const answer = parsed.data;
      const pending = this.#forget(worker, answer.id);
      if (answer.ok) pending?.resolve(answer.value);
      else pending?.reject(answer.error);
    });
    worker.on("error", (error) => this.#onEnd(worker, error));
    worker.on("exit", (code) => this.#onEnd(worker, new Error(`exit code ${code}`)));
    return worker;
  }

  #forget(worker: Worker, id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#rest(worker);
    return pending;
  }

  #rest(worker: Worker): void {
    worker.unref();
    const { restMs } = this.#options;
    if (restMs === undefined) return;
    this.#resting = setTimeout(() => void this.renew(), restMs).unref();
  }

  #onEnd(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#failAll(ended(`${this.#options.name} ended unexpectedly.`, cause));
  }

  #failAll(error: Error): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}

const ended = (message: string, cause?: Error) =>
  new StoreError("failed", message, "Try again; what was kept before is untouched.", { cause });
