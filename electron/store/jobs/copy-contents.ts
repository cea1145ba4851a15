import { z } from "zod";
import { type CopiedContents, copyContents } from "../backup/copy-contents.ts";
import type { Job } from "./job.ts";

const count = z.number();

/** What a back-up has, as a database of its own. */
export const copyContentsJob: Job<{ to: string; withCheckpoints: boolean }, CopiedContents> = {
  name: "copy-contents",
  args: z.object({ to: z.string(), withCheckpoints: z.boolean() }),
  result: z.object({
    databaseVersion: count,
    conversations: count,
    messages: count,
    largeFiles: z.array(z.string()),
  }),
  run: (context, { to, withCheckpoints }) =>
    copyContents(context.database().file, to, withCheckpoints, context.letOthersIn),
};
