import { counted } from "../plural.ts";

/** What is told to screen readers alone. */
export const announcer = {
  working: "Working",
  finished: "Reply finished",
  /** A question of the model, or a server's form. */
  asks: (question: string) => `Parley asks: ${question}`,
  failed: (what: string) => `Error: ${what}`,
  changes: (path: string, added: number, removed: number) =>
    `${path}: ${counted(added, "line", "lines")} added, ${removed} removed.`,
  waitsElsewhere: (title: string) => `Needs your answer: ${title}`,
};
