import { z } from "zod";
import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import type { SearchQuery } from "../../agent/ports/session-store.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, textColumn } from "../database/text-column.ts";
import { searchTextsOf } from "./search-texts.ts";
import { type SearchTerm, searchTerms } from "./search-words.ts";
import { snippetOf, termPattern } from "./snippet.ts";
import { titleHitsOf } from "./title-hits.ts";

/** Only so many of the newest are ranked: what a common word costs has a limit. */
const ranked = 2000;
/** A beginning of fewer letters than this is not looked for: half of all texts would have it. */
const shortestPrefix = 2;

const hitRows = z.array(z.object({ doc: z.number() }));
const docRow = z.object({
  session_id: textColumn,
  message_id: textColumn,
  tool_use_id: textColumn,
  title: textColumn.catch("�"),
  role: textColumn,
  created_at: z.number(),
});
const lineRow = docRow.extend({ text: textColumn.catch("") });
/** One damaged row must not hide all other hits. */
const readable = <T>(shape: z.ZodType<T>, rows: unknown[]): T[] =>
  rows.flatMap((row) => shape.safeParse(row).data ?? []);

/** @returns the search itself: titles first, then texts, the best of the newest hits first */
export function indexReaderOf(index: Database): (query: SearchQuery) => SearchHit[] {
  // The lower bm25 is, the better; of two that are equally good the newer one comes first.
  const best = (from: string) => `
    SELECT doc FROM (${from} ORDER BY search.rowid DESC LIMIT ${ranked}) ORDER BY rank, doc DESC`;
  const selectBest = index.prepare(
    best("SELECT search.rowid AS doc, bm25(search) AS rank FROM search WHERE search MATCH ?"),
  );
  const selectBestOfSession = index.prepare(
    best(`SELECT search.rowid AS doc, bm25(search) AS rank
      FROM search JOIN documents ON documents.doc = search.rowid
      WHERE search MATCH ?1 AND documents.session_id = ?2
        AND search.rowid >= (SELECT min(doc) FROM documents WHERE session_id = ?2)
        AND search.rowid <= (SELECT max(doc) FROM documents WHERE session_id = ?2)`),
  );
  const selectLine = index.prepare(`
    SELECT ${bytesOf("documents.session_id")}, ${bytesOf("'said-' || meeting_lines.id", "message_id")},
      ${bytesOf("tool_use_id")}, ${bytesOf("title")}, ${bytesOf("who", "role")}, started_at AS created_at,
      ${bytesOf("text")}
    FROM documents JOIN meeting_lines ON seq = CAST(message_id AS INTEGER)
      JOIN sessions ON sessions.id = documents.session_id
    WHERE doc = ? AND tool_use_id = ':meeting' AND deleted_at IS NULL`);
  const selectDoc = index.prepare(`
    SELECT ${["documents.session_id", "message_id", "tool_use_id", "title", "role"].map((name) => bytesOf(name)).join(", ")},
      messages.created_at
    FROM documents JOIN messages ON messages.id = message_id
      JOIN sessions ON sessions.id = documents.session_id
    WHERE doc = ? AND deleted_at IS NULL`);
  const texts = searchTextsOf(index);
  const titleHits = titleHitsOf(index);

  function search({ words, limit, conversationId }: SearchQuery): SearchHit[] {
    const terms = searchTerms(words);
    if (terms.length === 0) return [];
    const pattern = termPattern(terms);
    const hits = titleHits(terms, pattern, limit, conversationId);
    const seen = new Set<number>();
    // Whole words first. Only where these are too few, words that begin so: that costs as much as there are of them.
    for (const match of [exactly(terms), withLastAsPrefix(terms)]) {
      if (match === null || hits.length >= limit) continue;
      const found =
        conversationId === undefined
          ? selectBest.all([match])
          : selectBestOfSession.all([match, conversationId]);
      for (const { doc } of hitRows.parse(found)) {
        if (hits.length >= limit) break;
        if (seen.has(doc)) continue;
        seen.add(doc);
        const hit = hitOf(doc, pattern);
        if (hit) hits.push(hit);
      }
    }
    return hits;
  }

  /** @returns null for what was deleted since */
  function hitOf(doc: number, pattern: RegExp): SearchHit | null {
    const [row] = readable(docRow, selectDoc.all([doc]));
    if (!row) return lineHit(doc, pattern);
    const isOutput = row.tool_use_id !== "";
    const text = isOutput ? texts.ofCall(row.session_id, row.tool_use_id) : texts.ofMessage(row.message_id);
    return {
      conversationId: row.session_id,
      title: row.title,
      messageId: row.message_id,
      kind: isOutput ? "tool output" : row.role === "user" ? "prompt" : "reply",
      snippet: snippetOf(text, pattern),
      at: row.created_at,
    };
  }

  function lineHit(doc: number, pattern: RegExp): SearchHit | null {
    const [line] = readable(lineRow, selectLine.all([doc]));
    if (!line) return null;
    const { session_id: conversationId, title, message_id: messageId, text, created_at: at } = line;
    return { conversationId, title, messageId, kind: "meeting", snippet: snippetOf(text, pattern), at };
  }

  return (query) => index.guard(() => search(query));
}

const quoted = ({ words }: SearchTerm) => `"${words.join(" ")}"`;
const exactly = (terms: readonly SearchTerm[]) => terms.map(quoted).join(" ");

function withLastAsPrefix(terms: readonly SearchTerm[]): string | null {
  const length = terms.at(-1)?.words.at(-1)?.length ?? 0;
  return length < shortestPrefix ? null : `${exactly(terms)}*`;
}
