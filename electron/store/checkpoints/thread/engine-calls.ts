import { z } from "zod";
import type { CheckpointEngine } from "../checkpoint-engine.ts";

/** What is asked of the thread: one method of the engine. */
export type EngineCall = {
  [Method in keyof CheckpointEngine]: { method: Method; args: Parameters<CheckpointEngine[Method]> };
}[keyof CheckpointEngine];

const methods = [
  "before",
  "after",
  "create",
  "show",
  "changes",
  "preview",
  "rewind",
  "redo",
  "settle",
  "sealOld",
] as const satisfies (keyof CheckpointEngine)[];
const engineMethod = z.enum(methods);

/** @throws what the engine throws, by the promise */
export async function askEngine(engine: CheckpointEngine, method: string, args: unknown): Promise<unknown> {
  // Main is of this version, too: what it sends was made by `EngineCall`.
  const call = { method: engineMethod.parse(method), args } as EngineCall;
  switch (call.method) {
    case "before":
      return await engine.before(...call.args);
    case "after":
      return await engine.after(...call.args);
    case "create":
      return await engine.create(...call.args);
    case "show":
      return await engine.show(...call.args);
    case "changes":
      return await engine.changes(...call.args);
    case "preview":
      return await engine.preview(...call.args);
    case "rewind":
      return await engine.rewind(...call.args);
    case "redo":
      return await engine.redo(...call.args);
    case "settle":
      return await engine.settle(...call.args);
    case "sealOld":
      return await engine.sealOld(...call.args);
  }
}
