import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";

export const threadRequest = z.object({ id: z.number(), job: z.string(), args: z.unknown() });

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
export const threadAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), id: z.number(), value: z.unknown() }),
  z
    .object({
      ok: z.literal(false),
      id: z.number(),
      code: storeErrorCode,
      message: z.string(),
      hint: z.string(),
      cause: z.string().optional(),
    })
    .transform(({ ok, id, code, message, hint, cause }) => ({
      ok,
      id,
      error: new StoreError(code, message, hint, { cause }),
    })),
]);
