import { z } from "zod";

/** What is to be tried: a model whose files lie in `folder`. */
export const trialOrder = z.object({
  id: z.string(),
  kind: z.string(),
  folder: z.string(),
  language: z.string(),
  /** The recordings are in a language that it hears. */
  hearsEnglish: z.boolean(),
});
export type TrialOrder = z.infer<typeof trialOrder>;

/** What came of it. */
export const trialResult = z.object({
  wordErrorRate: z.number().nullable(),
  realTimeFactor: z.number().nullable(),
  problem: z.string().nullable(),
});
export type TrialResult = z.infer<typeof trialResult>;

/** Nothing came of it. */
export const nothing = (problem: string): TrialResult => ({
  wordErrorRate: null,
  realTimeFactor: null,
  problem,
});
