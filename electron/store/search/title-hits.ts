import { z } from "zod";
import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import type { Database } from "../database/database.ts";
import { asList, readableIn, shownText, wholeText } from "../database/text-column.ts";
import type { SearchTerm } from "./search-words.ts";
import { snippetOf, termPattern } from "./snippet.ts";

const titlesIn = readableIn(z.tuple([wholeText, shownText, z.number(), wholeText]));

/** Titles are few and change: they are read as they are. Last used first; the message is the end of the session. */
export function titleHitsOf(index: Database) {
  const select = index.prepare(
    asList(
      "id, title, updated_at, head_message_id",
      `SELECT id, title, updated_at, head_message_id FROM sessions
       WHERE parent_session_id IS NULL AND deleted_at IS NULL AND head_message_id IS NOT NULL
       ORDER BY updated_at DESC, id DESC`,
    ),
  );

  return (
    terms: readonly SearchTerm[],
    pattern: RegExp,
    limit: number,
    conversationId: string | undefined,
  ): SearchHit[] => {
    const each = terms.map((term) => termPattern([term]));
    return titlesIn(select.all([]))
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
