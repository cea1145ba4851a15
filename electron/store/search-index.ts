import { z } from "zod";
import type { SearchHit } from "../../shared/sessions.ts";
import type { SearchQuery } from "../agent/session-store.ts";
import type { Database } from "./database.ts";
import { indexReaderOf } from "./search-reader.ts";
import { searchTextsOf } from "./search-texts.ts";

export interface SearchIndex {
  /** Reads what waits, for about `budgetMs`; at least one text. */
  catchUp(budgetMs: number): { texts: number; hasMore: boolean };
  search(query: SearchQuery): SearchHit[];
  /** Drops what belongs to sessions that are gone, `limit` texts at most. @returns how many */
  forget(limit: number): number;
}

const waitingRows = z.array(
  z.object({
    seq: z.number(),
    session_id: z.string(),
    message_id: z.string(),
    tool_use_id: z.string().nullable(),
  }),
);
type Waiting = z.infer<typeof waitingRows>[number];

const docRows = z.array(z.object({ doc: z.number() }));

/** So many texts are read in one transaction, or until `stepMs` are over. */
const batch = 100;
const stepMs = 15;

/**
 * @param index from `openSearchFile`
 * @param database the database itself, where `to_index` is emptied
 */
export function searchIndexOf(index: Database, database: () => Database): SearchIndex {
  const select = (table: string) =>
    index.prepare(
      `SELECT seq, session_id, message_id, tool_use_id FROM ${table} ORDER BY seq LIMIT ${batch}`,
    );
  const selectWaiting = select("main.waiting");
  const selectNew = select("source.to_index");
  const removeWaiting = index.prepare("DELETE FROM main.waiting WHERE seq <= ?");
  const selectOwn = index.prepare("SELECT 1 FROM source.sessions WHERE id = ? AND parent_session_id IS NULL");
  const texts = searchTextsOf(index);
  const selectDoc = index.prepare("SELECT doc FROM main.documents WHERE message_id = ? AND tool_use_id = ?");
  const insertDoc = index.prepare(
    "INSERT INTO main.documents (session_id, message_id, tool_use_id) VALUES (?, ?, ?) RETURNING doc",
  );
  const insertText = index.prepare("INSERT INTO main.search (rowid, text) VALUES (?, ?)");
  const removeText = index.prepare("DELETE FROM main.search WHERE rowid = ?");
  const removeDoc = index.prepare("DELETE FROM main.documents WHERE doc = ?");
  const selectGone = index.prepare(`
    SELECT doc FROM main.documents
    WHERE session_id IN (SELECT DISTINCT session_id FROM main.documents EXCEPT SELECT id FROM source.sessions) LIMIT ?`);

  /** @returns whether there was anything to read */
  function read({ session_id, message_id, tool_use_id }: Waiting): void {
    // Sub-agents' conversations are not the user's: nothing could be shown of them.
    if (selectOwn.all([session_id]).length === 0) return;
    const text = tool_use_id === null ? texts.ofMessage(message_id) : texts.ofCall(session_id, tool_use_id);
    // A call that is saved again replaces the first; what was read before a kill -9 may come a second time.
    const [known] = docRows.parse(selectDoc.all([message_id, tool_use_id ?? ""]));
    if (known) forgetDoc(known.doc);
    if (text.trim() === "") return;
    const [made] = docRows.parse(insertDoc.all([session_id, message_id, tool_use_id ?? ""]));
    if (made) insertText.run([made.doc, text]);
  }

  function forgetDoc(doc: number): void {
    removeText.run([doc]);
    removeDoc.run([doc]);
  }

  /** One transaction. @returns how many texts, 0 when nothing waits */
  function step(): number {
    const old = waitingRows.parse(selectWaiting.all([]));
    const rows = old.length > 0 ? old : waitingRows.parse(selectNew.all([]));
    if (rows.length === 0) return 0;
    const end = performance.now() + stepMs;
    let count = 0;
    let last = 0;
    index.transaction(() => {
      for (const row of rows) {
        read(row);
        count++;
        last = row.seq;
        if (performance.now() > end) break;
      }
      if (old.length > 0) removeWaiting.run([last]);
    });
    // After the index has them: a kill -9 in between only makes them be read again.
    if (old.length === 0) database().prepare("DELETE FROM to_index WHERE seq <= ?").run([last]);
    return count;
  }

  return {
    catchUp(budgetMs) {
      const end = performance.now() + budgetMs;
      let count = 0;
      for (;;) {
        const more = step();
        count += more;
        if (more === 0) return { texts: count, hasMore: false };
        if (performance.now() > end) return { texts: count, hasMore: true };
      }
    },
    search: indexReaderOf(index),
    forget(limit) {
      const gone = docRows.parse(selectGone.all([limit]));
      index.transaction(() => {
        for (const { doc } of gone) forgetDoc(doc);
      });
      return gone.length;
    },
  };
}
