import { z } from "zod";
import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import type { SearchQuery } from "../../agent/ports/session-store.ts";
import type { Database, SqlValue } from "../database/database.ts";
import { bytesOf, toTextColumn } from "../database/text-column.ts";
import { indexReaderOf } from "./search-reader.ts";
import { withSpaces } from "./spaceless.ts";

export interface SearchIndex {
  /** Reads what waits, for about `budgetMs`. */
  catchUp(budgetMs: number): { texts: number; hasMore: boolean };
  search(query: SearchQuery): SearchHit[];
  /** Drops what belongs to sessions that are gone, `limit` texts at most. @returns how many */
  forget(limit: number): number;
}

/** Bytes that are no text cost no more than themselves. */
const otherRows = z.array(
  z.object({
    doc: z.number(),
    text: z.instanceof(ArrayBuffer).transform((bytes) => Buffer.from(bytes).toString("utf8")),
  }),
);
const numberRows = z.array(z.object({ number: z.number().nullable() }));
const waitingRows = z.array(z.object({ last: z.number().nullable(), count: z.number() }));

/** Texts read in one transaction: as many as take about this long, since many small ones make many parts to join. */
const stepMs = 50;
const fewest = 16;
const most = 2000;

/**
 * @param index from `openSearchFile` or `addSearchIndex`: no two tables of it and of the database have one name
 * @param database the database itself, where `to_index` is emptied
 */
export function searchIndexOf(index: Database, database: () => Database): SearchIndex {
  /** What is read anew, or for the first time: old texts first, in their order, then what came since. */
  const lists = ["waiting", "to_index"].map((table) => readerOf(index, table));
  const removeWaiting = index.prepare("DELETE FROM waiting WHERE seq <= ?");
  const removeDocs = removerOf(
    index,
    `SELECT doc FROM documents WHERE session_id IN (
      SELECT DISTINCT session_id FROM documents EXCEPT SELECT id FROM sessions
    ) LIMIT ?`,
  );
  let batch = fewest;

  /** One transaction. @returns how many texts, 0 when nothing waits */
  function step(): number {
    const started = performance.now();
    const [old, fresh] = lists.map((list) => ({ ...list, ...list.next(batch) }));
    if (old?.last != null) {
      const { last, read } = old;
      index.transaction(() => {
        read(last);
        removeWaiting.run([last]);
      });
    } else if (fresh?.last != null) {
      const { last, read } = fresh;
      index.transaction(() => read(last));
      // After the index has them: a kill -9 in between only makes them be read again.
      database().prepare("DELETE FROM to_index WHERE seq <= ?").run([last]);
    }
    const isFast = performance.now() - started < stepMs;
    batch = isFast ? Math.min(most, batch * 2) : Math.max(fewest, Math.floor(batch / 2));
    return old?.count || fresh?.count || 0;
  }

  return {
    catchUp(budgetMs) {
      const end = performance.now() + budgetMs;
      for (let texts = 0; ; ) {
        const more = step();
        texts += more;
        if (more === 0) return { texts, hasMore: false };
        if (performance.now() > end) return { texts, hasMore: true };
      }
    },
    search: indexReaderOf(index),
    forget: (limit) => index.transaction(() => removeDocs([limit])),
  };
}

/** Within SQLite, but for a look at texts that are not ASCII: handing all over to us and back would take several times longer. */
function readerOf(index: Database, table: string) {
  const selectNext = index.prepare(
    `SELECT max(seq) AS last, count(*) AS count FROM (SELECT seq FROM ${table} ORDER BY seq LIMIT ?)`,
  );
  // A call that is saved again replaces the first; what was read before a kill -9 may come a second time.
  const removeKnown = removerOf(
    index,
    `SELECT doc FROM ${table} AS listed CROSS JOIN documents ON documents.message_id = listed.message_id
      AND documents.tool_use_id = coalesce(listed.tool_use_id, '') WHERE listed.seq <= ?`,
  );
  const selectEnd = index.prepare("SELECT max(doc) AS number FROM documents");
  // Sub-agents' conversations are not the user's: nothing could be shown of them.
  const insertDocs = index.prepare(`
    INSERT OR IGNORE INTO documents (session_id, message_id, tool_use_id)
    SELECT session_id, message_id, coalesce(tool_use_id, '') FROM ${table} AS listed
    WHERE seq <= ? AND EXISTS (
      SELECT 1 FROM sessions WHERE sessions.id = listed.session_id AND parent_session_id IS NULL
    ) ORDER BY seq`);
  index.exec("CREATE TEMP TABLE IF NOT EXISTS found_texts (doc INTEGER PRIMARY KEY, text TEXT)");
  // One damaged row must not keep all after it from being found.
  const findTexts = index.prepare(`
    INSERT INTO temp.found_texts (doc, text)
    SELECT doc, CASE tool_use_id
      WHEN '' THEN (
        SELECT group_concat(json ->> 'text', char(10, 10)) FROM blocks
        WHERE blocks.message_id = documents.message_id AND type = 'text' AND json_valid(json)
      )
      WHEN ':meeting' THEN (SELECT CAST(text AS TEXT) FROM meeting_lines WHERE seq = CAST(message_id AS INTEGER))
      ELSE (
        SELECT CAST(output AS TEXT) FROM tool_calls
        WHERE tool_calls.session_id = documents.session_id AND tool_calls.tool_use_id = documents.tool_use_id
      )
    END FROM documents WHERE doc > ? ORDER BY doc`);
  // ASCII has no such scripts: it is told by its length, which is the same in bytes.
  const selectOthers = index.prepare(`
    SELECT doc, ${bytesOf("found.text")} FROM temp.found_texts AS found
    WHERE length(CAST(found.text AS BLOB)) <> length(found.text)`);
  const change = index.prepare("UPDATE temp.found_texts SET text = CAST(? AS TEXT) WHERE doc = ?");
  const insertTexts = index.prepare(
    "INSERT INTO search (rowid, text) SELECT doc, text FROM temp.found_texts ORDER BY doc",
  );
  const forgetTexts = index.prepare("DELETE FROM temp.found_texts");

  return {
    next(count: number) {
      const [next] = waitingRows.parse(selectNext.all([count]));
      return { last: next?.last ?? null, count: next?.count ?? 0 };
    },
    read(last: number): void {
      removeKnown([last]);
      const before = numberRows.parse(selectEnd.all([]))[0]?.number ?? 0;
      insertDocs.run([last]);
      findTexts.run([before]);
      for (const { doc, text } of otherRows.parse(selectOthers.all([]))) {
        const spaced = withSpaces(text);
        if (spaced !== text) change.run([toTextColumn(spaced), doc]);
      }
      insertTexts.run([]);
      forgetTexts.run([]);
    },
  };
}

/** @param docs selects which, with the values given later */
function removerOf(index: Database, docs: string): (values: readonly SqlValue[]) => number {
  const select = index.prepare(docs.replace("SELECT doc", "SELECT doc AS number"));
  const removeText = index.prepare("DELETE FROM search WHERE rowid = ?");
  const removeDoc = index.prepare("DELETE FROM documents WHERE doc = ?");
  return (values) => {
    const found = numberRows.parse(select.all(values));
    for (const { number } of found) {
      removeText.run([number]);
      removeDoc.run([number]);
    }
    return found.length;
  };
}
