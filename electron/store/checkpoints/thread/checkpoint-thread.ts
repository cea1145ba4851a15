import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { ulids } from "../../../../shared/ulids.ts";
import { connectAgain } from "../../database/open-database.ts";
import { type CheckpointEngine, checkpointEngine } from "../checkpoint-engine.ts";
import { packError, type ThreadAnswer, type ThreadRequest } from "./thread-messages.ts";

// A worker thread's program: walking, hashing, compressing and the database's part of it, beside the main process.

const { file, keys } = z
  .object({ file: z.string(), keys: z.array(z.instanceof(Uint8Array)) })
  .parse(workerData);
const engine = checkpointEngine(connectAgain(file), { now: Date.now, newId: ulids(), keys });

parentPort?.on("message", (request: ThreadRequest & { id: number }) => {
  const answer = (rest: Omit<ThreadAnswer, "id">) => parentPort?.postMessage({ id: request.id, ...rest });
  ask(engine, request).then(
    (value) => answer({ value }),
    (error: unknown) => answer({ error: packError(error) }),
  );
});

async function ask(on: CheckpointEngine, request: ThreadRequest): Promise<unknown> {
  switch (request.method) {
    case "before":
      return await on.before(...request.args);
    case "after":
      return await on.after(...request.args);
    case "create":
      return await on.create(...request.args);
    case "show":
      return await on.show(...request.args);
    case "preview":
      return await on.preview(...request.args);
    case "rewind":
      return await on.rewind(...request.args);
    case "redo":
      return await on.redo(...request.args);
    case "sealOld":
      return await on.sealOld(...request.args);
  }
}
