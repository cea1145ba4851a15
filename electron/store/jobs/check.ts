import { z } from "zod";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Job } from "./job.ts";

const foundRows = z.array(z.unknown());

/**
 * Whether the file is damaged: pages that are not as SQLite wrote them.
 * `isThorough`: also whether indexes and tables say the same, which takes several times longer.
 */
export const checkJob: Job<{ isThorough: boolean }, boolean> = {
  name: "check",
  args: z.object({ isThorough: z.boolean() }),
  result: z.boolean(),
  async run(context, { isThorough }) {
    const check = isThorough ? "integrity_check" : "quick_check";
    try {
      const select = context
        .database()
        .prepare(`SELECT 1 FROM pragma_${check} WHERE ${check} <> 'ok' LIMIT 1`);
      return foundRows.parse(select.all([])).length > 0;
    } catch (error) {
      if (error instanceof StoreError && error.code === "corrupt") return true;
      throw error;
    }
  },
};
