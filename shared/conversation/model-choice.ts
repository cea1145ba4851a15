import { z } from "zod";
import { effort } from "./effort.ts";

/** What a conversation has of its own; null: that of the settings counts. */
export const modelChoice = z.object({
  /** As in the settings: an alias or a full id. */
  model: z.string().trim().min(1).max(200).nullable(),
  effort: effort.nullable(),
});
export type ModelChoice = z.infer<typeof modelChoice>;

/** The settings as they count for a conversation. */
export function settingsFor<S extends { model: string; effort: z.infer<typeof effort> }>(
  settings: S,
  chosen: Readonly<ModelChoice>,
): S {
  return { ...settings, model: chosen.model ?? settings.model, effort: chosen.effort ?? settings.effort };
}
