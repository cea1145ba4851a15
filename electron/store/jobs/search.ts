import { z } from "zod";
import { type SearchHit, searchHit } from "../../../shared/conversation/sessions.ts";
import type { SearchQuery } from "../../agent/ports/session-store.ts";
import type { Job } from "./job.ts";

/** What was said just now is found, too; where much more waits (a file of an older version), the search does not wait for it. */
const catchUpMs = 40;

export const searchJob: Job<SearchQuery, SearchHit[]> = {
  name: "search",
  args: z.object({ words: z.string(), limit: z.number(), conversationId: z.string().optional() }),
  result: z.array(searchHit),
  async run(context, query) {
    const index = context.index();
    index.catchUp(catchUpMs);
    return index.search(query);
  },
};
