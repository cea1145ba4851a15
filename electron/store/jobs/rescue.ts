import { existsSync } from "node:fs";
import { z } from "zod";
import { connectAgain } from "../database/open-database.ts";
import { type Rescued, rescue, rescued } from "../rescue/rescue.ts";
import { asideOf, earlierOf } from "../rescue/set-aside.ts";
import type { Job } from "./job.ts";

/** Takes over what can be read of a damaged database that was set aside. */
export const rescueJob: Job<{ workingFolder: string }, Rescued> = {
  name: "rescue",
  args: z.object({ workingFolder: z.string() }),
  result: rescued,
  async run(context, { workingFolder }) {
    const { file } = context.database();
    const into = connectAgain(file);
    try {
      return await rescue(context, {
        from: asideOf(file),
        into,
        workingFolder,
        hasEarlier: existsSync(earlierOf(file)),
      });
    } finally {
      into.close();
    }
  },
};
