import { z } from "zod";
import type { Job } from "./job.ts";

/** A search waits no longer than this for the reading to make room. */
const stepMs = 100;

/** Reads into the index whatever waits for it. @returns how many texts */
export const indexJob: Job<null, number> = {
  name: "index",
  args: z.null(),
  result: z.number(),
  async run(context) {
    const index = context.index();
    let texts = 0;
    for (;;) {
      const step = index.catchUp(stepMs);
      texts += step.texts;
      if (!step.hasMore) return texts;
      await context.letOthersIn();
    }
  },
};
