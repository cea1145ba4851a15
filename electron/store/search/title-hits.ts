import { z } from "zod";
import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import type { Database } from "../database/database.ts";
import type { SearchTerm } from "./search-words.ts";
import { snippetOf, termPattern } from "./snippet.ts";

const jsonRows = z.array(z.object({ json: z.string() }));
const titles = z.array(z.tuple([z.string(), z.string(), z.number(), z.string()]));

/** Titles are few and change: they are read as they are. Last used first; the message is the end of the session. */
export function titleHitsOf(index: Database) {
  // One value for all: thousands of rows handed over one by one would take longer than the search.
  const select = index.prepare(`
    SELECT json_group_array(json_array(id, title, updated_at, head_message_id)) AS json FROM (
      SELECT id, title, updated_at, head_message_id FROM sessions
      WHERE parent_session_id IS NULL AND deleted_at IS NULL AND head_message_id IS NOT NULL
      ORDER BY updated_at DESC, id DESC
    )`);

  return (
    terms: readonly SearchTerm[],
    pattern: RegExp,
    limit: number,
    conversationId: string | undefined,
  ): SearchHit[] => {
    const each = terms.map((term) => termPattern([term]));
    const all = jsonRows.parse(select.all([])).flatMap(({ json }) => titles.parse(JSON.parse(json)));
    return all
      .filter(([id]) => conversationId === undefined || id === conversationId)
      .filter(([, title]) => each.every((one) => title.normalize("NFD").search(one) >= 0))
      .slice(0, limit)
      .map(([id, title, at, messageId]) => ({
        conversationId: id,
        title,
        messageId,
        kind: "title",
        snippet: snippetOf(title, pattern),
        at,
      }));
  };
}
