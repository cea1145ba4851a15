import { z } from "zod";
import { effort } from "./effort.ts";

/** What a conversation has of its own; null: that of the settings counts. */
export const modelChoice = z.object({
  /** As in the settings, an alias or a full id, behind its provider where that is not the settings': `gemini:NAME`. */
  model: z.string().trim().min(1).max(200).nullable(),
  effort: effort.nullable(),
});
export type ModelChoice = z.infer<typeof modelChoice>;

/** Providers that a model can be named with. */
export const namedProviders = ["anthropic", "openai", "gemini", "local"] as const;
export type NamedProvider = (typeof namedProviders)[number];

/** Of a model as it was chosen: whose it is, null where the settings' provider answers, and its name there. */
export function namedModel(chosen: string): { provider: NamedProvider | null; model: string } {
  const provider = namedProviders.find((one) => chosen.startsWith(`${one}:`)) ?? null;
  const model = provider === null ? chosen : chosen.slice(provider.length + 1);
  return model === "" ? { provider: null, model: chosen } : { provider, model };
}

/** Whether nothing is sent elsewhere, whatever a conversation chose before. */
export const staysHere = (provider: string): boolean => provider === "local" || provider === "offline";

/** The settings as they count for a conversation. */
export function settingsFor<S extends { provider: string; model: string; effort: z.infer<typeof effort> }>(
  settings: S,
  chosen: Readonly<ModelChoice>,
): S {
  const own = { ...settings, effort: chosen.effort ?? settings.effort };
  if (chosen.model === null) return own;
  const { provider, model } = namedModel(chosen.model);
  if (provider === null || provider === settings.provider) return { ...own, model };
  return staysHere(settings.provider) ? own : { ...own, provider, model };
}
