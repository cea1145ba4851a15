import type { Step } from "./apply-steps.ts";

export interface PlannedStep extends Step {
  folder: string;
  /** As the user sees it. */
  shown: string;
  /** It had gone, and another one differs from it only in its case, or in how its accents are written. */
  isTwin: boolean;
  action: "restore" | "remove" | "same";
  /** Changed since the conversation touched it last, by something else; or left so by another conversation. */
  isConflict: boolean;
  /** Why it cannot be taken back; null: it can. */
  why: string | null;
}
