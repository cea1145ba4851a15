import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";

/** Main to a thread. */
export const workerCall = z.object({ id: z.number(), method: z.string(), args: z.unknown() });
export type WorkerCall = z.infer<typeof workerCall>;

const storeErrorCode = z.enum([
  "locked",
  "corrupt",
  "read_only",
  "full",
  "cannot_open",
  "newer",
  "invalid",
  "failed",
]);

/** An error crosses the border between threads as its parts. */
const packedError = z.object({
  message: z.string(),
  /** Of a StoreError. */
  store: z.object({ code: storeErrorCode, hint: z.string() }).optional(),
  cause: z.string().optional(),
});

/** A thread to main. */
export const workerAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), id: z.number(), value: z.unknown() }),
  z
    .object({ ok: z.literal(false), id: z.number(), error: packedError })
    .transform(({ ok, id, error }) => ({ ok, id, error: unpackError(error) })),
]);

export function packError(error: unknown): z.infer<typeof packedError> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, cause } = error;
  return {
    message,
    ...(error instanceof StoreError && { store: { code: error.code, hint: error.hint } }),
    ...(cause instanceof Error && { cause: cause.stack ?? cause.message }),
  };
}

export function unpackError({ message, store, cause }: z.infer<typeof packedError>): Error {
  return store ? new StoreError(store.code, message, store.hint, { cause }) : new Error(message, { cause });
}
