import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { packError, workerCall } from "./worker-messages.ts";

/** A thread's own side of its calls: each is answered once, in whatever order they are done, until it has to end. */
export function answerCalls(answer: (method: string, args: unknown) => Promise<unknown>): void {
  const { isOver } = z.object({ isOver: z.instanceof(Int32Array) }).parse(workerData);
  parentPort?.on("message", (message: unknown) => {
    // Calls that were still waiting have failed.
    if (Atomics.load(isOver, 0) === 1) process.exit();
    const { id, method, args } = workerCall.parse(message);
    answer(method, args).then(
      (value) => parentPort?.postMessage({ ok: true, id, value }),
      (error: unknown) => parentPort?.postMessage({ ok: false, id, error: packError(error) }),
    );
  });
}
