import { z } from "zod";
import { copyDatabase } from "../database/copy-database.ts";
import type { Job } from "./job.ts";

export const backUpJob: Job<{ to: string }, null> = {
  name: "back-up",
  args: z.object({ to: z.string() }),
  result: z.null(),
  async run(context, { to }) {
    copyDatabase(context.database(), to);
    return null;
  },
};
