import { checkJob } from "./check.ts";
import { copyContentsJob } from "./copy-contents.ts";
import { indexJob } from "./index-texts.ts";
import type { Job } from "./job.ts";
import { pruneJob } from "./prune.ts";
import { rescueJob } from "./rescue.ts";
import { searchJob } from "./search.ts";

/** All that the thread can be asked to do. */
export const jobs: readonly Job[] = [searchJob, indexJob, pruneJob, copyContentsJob, checkJob, rescueJob];
