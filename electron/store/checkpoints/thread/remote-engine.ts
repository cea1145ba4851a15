import { Worker } from "node:worker_threads";
import { z } from "zod";
import {
  checkpointDiff,
  checkpointSummary,
  notRestorable,
  rewindOutcome,
  rewindPreview,
} from "../../../../shared/conversation/checkpoints.ts";
import type { CheckpointEngine } from "../checkpoint-engine.ts";
import { type ThreadAnswer, type ThreadRequest, unpackError } from "./thread-messages.ts";

const report = z.object({
  checkpointId: z.string(),
  isNew: z.boolean(),
  notRestorable: z.array(notRestorable),
  readOnly: z.array(z.string()),
});
const callChanges = z.object({ checkpointId: z.string(), deletedFiles: z.number() }).nullable();
const outcome = rewindOutcome.pick({ redoCheckpointId: true, files: true });

/** The engine in a thread of its own, which is started by the first question and again after it died. */
export class RemoteEngine implements CheckpointEngine {
  readonly #entry: string;
  readonly #file: string;
  readonly #keys: () => readonly Uint8Array[];
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param entry the thread's program @param file the database, its tables up to date @param keys what seals secrets */
  constructor(entry: string, file: string, keys: () => readonly Uint8Array[]) {
    this.#entry = entry;
    this.#file = file;
    this.#keys = keys;
  }

  async before(...args: Parameters<CheckpointEngine["before"]>) {
    return report.parse(await this.#ask({ method: "before", args }));
  }

  async after(...args: Parameters<CheckpointEngine["after"]>) {
    return callChanges.parse(await this.#ask({ method: "after", args }));
  }

  async create(...args: Parameters<CheckpointEngine["create"]>) {
    return checkpointSummary.parse(await this.#ask({ method: "create", args }));
  }

  async show(...args: Parameters<CheckpointEngine["show"]>) {
    return z.array(checkpointDiff).parse(await this.#ask({ method: "show", args }));
  }

  async preview(...args: Parameters<CheckpointEngine["preview"]>) {
    return rewindPreview.parse(await this.#ask({ method: "preview", args }));
  }

  async rewind(...args: Parameters<CheckpointEngine["rewind"]>) {
    return outcome.parse(await this.#ask({ method: "rewind", args }));
  }

  async redo(...args: Parameters<CheckpointEngine["redo"]>) {
    const answer = await this.#ask({ method: "redo", args });
    return outcome.extend({ messageId: z.string().nullable() }).parse(answer);
  }

  async sealOld(...args: Parameters<CheckpointEngine["sealOld"]>) {
    await this.#ask({ method: "sealOld", args });
  }

  /** What still waits is rejected. */
  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#end(new Error("Parley is being closed."));
    await worker?.terminate();
  }

  #ask(request: ThreadRequest): Promise<unknown> {
    const worker = this.#worker ?? this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Only a question that is waited for keeps the process alive.
      worker.ref();
      worker.postMessage({ id, ...request });
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, {
      workerData: { file: this.#file, keys: this.#keys() },
      execArgv: [],
    });
    worker.on("message", ({ id, value, error }: ThreadAnswer) => {
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
      if (error) asked?.reject(unpackError(error));
      else asked?.resolve(value);
    });
    const onEnd = (error: Error) => {
      if (this.#worker === worker) this.#end(error);
    };
    worker.on("error", onEnd);
    worker.on("exit", (code) => onEnd(new Error(`The checkpoints' thread ended with code ${code}.`)));

    this.#worker = worker;
    return worker;
  }

  #end(error: Error): void {
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
