import type { UserError } from "../../../shared/conversation/events.ts";
import { ModelError, StoreError } from "../ports/ports.ts";

/** A failure in words for the user, whatever it was. */
export function toUserError(error: unknown): UserError {
  if (error instanceof ModelError || error instanceof StoreError) return error.toUserError();
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "internal",
    message: `Something went wrong in Parley: ${message}`,
    hint: "Try again. If it keeps happening, look in the log for details.",
  };
}
