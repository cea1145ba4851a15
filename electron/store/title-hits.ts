import { z } from "zod";
import type { SearchHit } from "../../shared/sessions.ts";
import type { Database } from "./database.ts";
import type { SearchTerm } from "./search-words.ts";
import { snippetOf, termPattern } from "./snippet.ts";

const titleRows = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    updated_at: z.number(),
    head_message_id: z.string(),
  }),
);

/** Titles are few and change: they are read as they are. Last used first; the message is the end of the session. */
export function titleHitsOf(index: Database) {
  const select = index.prepare(`
    SELECT id, title, updated_at, head_message_id FROM source.sessions
    WHERE parent_session_id IS NULL AND deleted_at IS NULL AND head_message_id IS NOT NULL
    ORDER BY updated_at DESC, id DESC`);

  return (
    terms: readonly SearchTerm[],
    pattern: RegExp,
    limit: number,
    conversationId: string | undefined,
  ): SearchHit[] => {
    const each = terms.map((term) => termPattern([term]));
    return titleRows
      .parse(select.all([]))
      .filter(({ id }) => conversationId === undefined || id === conversationId)
      .filter(({ title }) => each.every((one) => title.normalize("NFD").search(one) >= 0))
      .slice(0, limit)
      .map((row) => ({
        conversationId: row.id,
        title: row.title,
        messageId: row.head_message_id,
        kind: "title",
        snippet: snippetOf(row.title, pattern),
        at: row.updated_at,
      }));
  };
}
