import { parentPort } from "node:worker_threads";
import { packError, workerCall } from "./worker-messages.ts";

/** A thread's own side of its calls: each is answered once, in whatever order they are done. */
export function answerCalls(answer: (method: string, args: unknown) => Promise<unknown>): void {
  parentPort?.on("message", (message: unknown) => {
    const { id, method, args } = workerCall.parse(message);
    answer(method, args).then(
      (value) => parentPort?.postMessage({ ok: true, id, value }),
      (error: unknown) => parentPort?.postMessage({ ok: false, id, error: packError(error) }),
    );
  });
}
