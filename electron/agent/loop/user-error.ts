import type { UserError } from "../../../shared/conversation/events.ts";
import { EnvironmentError, ModelError, StoreError } from "../ports/ports.ts";

/** What to do where the working folder is gone. */
export const anotherFolder = "`/cd PATH` chooses another folder.";

/** A failure in words for the user, whatever it was. */
export function toUserError(error: unknown): UserError {
  if (error instanceof ModelError || error instanceof StoreError) return error.toUserError();
  const message = error instanceof Error ? error.message : String(error);
  // Tools say by themselves what failed: this is about the folder of a whole run.
  if (error instanceof EnvironmentError) return { code: "working_folder", message, hint: anotherFolder };
  return {
    code: "internal",
    message: `Something went wrong in Parley: ${message}`,
    hint: "Try again. If it keeps happening, look in the log for details.",
  };
}
