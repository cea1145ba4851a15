import { workerData } from "node:worker_threads";
import { z } from "zod";
import { ulids } from "../../../../shared/ulids.ts";
import { connectAgain } from "../../database/open-database.ts";
import { answerCalls } from "../../thread/answer-calls.ts";
import { checkpointEngine } from "../checkpoint-engine.ts";
import { askEngine } from "./engine-calls.ts";

// A worker thread's program: walking, hashing, compressing and the database's part of it, beside the main process.

const { file, keys } = z
  .object({ file: z.string(), keys: z.array(z.instanceof(Uint8Array)) })
  .parse(workerData);
const engine = checkpointEngine(connectAgain(file), { now: Date.now, newId: ulids(), keys });

answerCalls((method, args) => askEngine(engine, method, args));
