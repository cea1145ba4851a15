import { StoreError } from "../../../agent/ports/ports.ts";
import type { CheckpointEngine } from "../checkpoint-engine.ts";

/** What is asked of the thread: one method of the engine. */
export type ThreadRequest = {
  [Method in keyof CheckpointEngine]: { method: Method; args: Parameters<CheckpointEngine[Method]> };
}[keyof CheckpointEngine];

export interface ThreadAnswer {
  id: number;
  value?: unknown;
  /** `store`: of a StoreError. */
  error?: { message: string; store?: Pick<StoreError, "code" | "hint"> };
}

/** An error as it crosses threads. */
export function packError(error: unknown): NonNullable<ThreadAnswer["error"]> {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof StoreError
    ? { message, store: { code: error.code, hint: error.hint } }
    : { message };
}

export const unpackError = ({ message, store }: NonNullable<ThreadAnswer["error"]>) =>
  store ? new StoreError(store.code, message, store.hint) : new Error(message);
