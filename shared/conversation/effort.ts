import { z } from "zod";

/** How much a model thinks before it answers. */
export const effortLevel = z.enum(["off", "low", "medium", "high"]);
export type EffortLevel = z.infer<typeof effortLevel>;

/** `default`: as much as the model does by itself. */
export const effort = z.enum(["default", ...effortLevel.options]);
export type Effort = z.infer<typeof effort>;

export const effortNames: Readonly<Record<Effort, string>> = {
  default: "Default",
  off: "Off",
  low: "Low",
  medium: "Medium",
  high: "High",
};

/** Which efforts a model takes. */
export interface EffortSupport {
  taken: readonly EffortLevel[];
  /** Why it does not take the others, as a sentence; null where it takes all. */
  why: string | null;
  /** Set: it cannot stop thinking, so `off` is as little as it can. */
  offIsLeast?: boolean;
  /** Set: the server has not said so; what it refuses is learned. */
  isGuess?: boolean;
}

/** What a model does with an effort that was chosen: one that it does not take is not asked for. */
export const effortFor = (chosen: Effort, { taken }: EffortSupport): Effort =>
  chosen !== "default" && taken.includes(chosen) ? chosen : "default";
