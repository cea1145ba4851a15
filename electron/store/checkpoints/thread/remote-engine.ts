import { z } from "zod";
import {
  checkpointDiff,
  checkpointSummary,
  conversationChanges,
  notRestorable,
  rewindOutcome,
  rewindPreview,
} from "../../../../shared/conversation/checkpoints.ts";
import { WorkerCalls } from "../../thread/worker-calls.ts";
import type { CheckpointEngine } from "../checkpoint-engine.ts";
import type { EngineCall } from "./engine-calls.ts";

const report = z.object({
  checkpointId: z.string(),
  isNew: z.boolean(),
  notRestorable: z.array(notRestorable),
  readOnly: z.array(z.string()),
});
const callChanges = z.object({ checkpointId: z.string(), deletedFiles: z.number() }).nullable();
const outcome = rewindOutcome.pick({ redoCheckpointId: true, files: true });

/** The engine in a thread of its own. */
export class RemoteEngine implements CheckpointEngine {
  readonly #calls: WorkerCalls;

  /** @param entry the thread's program @param file the database, its tables up to date @param keys what seals secrets */
  constructor(entry: string, file: string, keys: () => readonly Uint8Array[]) {
    this.#calls = new WorkerCalls({
      name: "The checkpoints' thread",
      entry,
      data: () => ({ file, keys: keys() }),
    });
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

  async changes(...args: Parameters<CheckpointEngine["changes"]>) {
    return conversationChanges.parse(await this.#ask({ method: "changes", args }));
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

  async settle(...args: Parameters<CheckpointEngine["settle"]>) {
    await this.#ask({ method: "settle", args });
  }

  async sealOld(...args: Parameters<CheckpointEngine["sealOld"]>) {
    await this.#ask({ method: "sealOld", args });
  }

  /** Lets go of the file: what still waits is rejected, and the next question opens it again. */
  renew(): Promise<void> {
    return this.#calls.renew();
  }

  /** What still waits is rejected. */
  dispose(): Promise<void> {
    return this.#calls.close();
  }

  #ask({ method, args }: EngineCall): Promise<unknown> {
    return this.#calls.call(method, args);
  }
}
