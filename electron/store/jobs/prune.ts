import { z } from "zod";
import type { PruneRules } from "../../agent/ports/session-store.ts";
import { pruneCheckpoints } from "../checkpoints/prune-checkpoints.ts";
import type { Job } from "./job.ts";
import { pruneEvents } from "./prune-events.ts";
import { pruneSessions, removeSession } from "./prune-sessions.ts";

const count = z.number().nonnegative();
const pruneArgs = z.object({
  rules: z.object({
    sessionDays: count,
    maxSessions: count,
    eventDays: count,
    checkpointDays: count,
    checkpointMb: count,
  }) satisfies z.ZodType<PruneRules>,
  now: z.number(),
  /** Sessions that are open. */
  keep: z.array(z.string()),
  /** Sessions that were deleted before this start: no undo is left. */
  deleted: z.array(z.string()),
});
export type PruneArgs = z.infer<typeof pruneArgs>;

const pruned = z.object({ sessions: count, events: count, checkpoints: count });

/** Steps of a few milliseconds each: the main process waits for none of them longer. */
export const pruneJob: Job<PruneArgs, z.infer<typeof pruned>> = {
  name: "prune",
  args: pruneArgs,
  result: pruned,
  async run(context, args) {
    for (const id of args.deleted) await removeSession(context, id);
    const sessions = await pruneSessions(context, args);
    const events = await pruneEvents(context, args);
    const { checkpointDays: days, checkpointMb: megabytes } = args.rules;
    const checkpoints = await pruneCheckpoints(context, { days, megabytes }, args);
    const index = context.index();
    while (index.forget(100) > 0) await context.letOthersIn();
    return { sessions: args.deleted.length + sessions, events, checkpoints };
  },
};
