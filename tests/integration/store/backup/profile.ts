import { join } from "node:path";
import { z } from "zod";
import type { SessionStore } from "../../../../electron/agent/ports/session-store.ts";
import { backUp } from "../../../../electron/store/backup/back-up.ts";
import { openDatabase } from "../../../../electron/store/database/open-database.ts";
import { openSqliteStore } from "../../../../electron/store/sqlite-store.ts";
import type { Message } from "../../../../shared/conversation/messages.ts";

export const fail = (error: unknown): never => {
  throw error;
};

export const databaseIn = (folder: string) => join(folder, "parley.db");

/** Works on a profile as Parley does, and closes it. */
export function inProfile<T>(folder: string, work: (store: SessionStore) => T): T {
  const store = openSqliteStore(databaseIn(folder), fail);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

export async function backUpOf(folder: string, to: string, more: { withCheckpoints?: boolean } = {}) {
  const { withCheckpoints = false } = more;
  const settings = { theme: "dark" };
  return await backUp({
    database: databaseIn(folder),
    to,
    withCheckpoints,
    settings,
    madeBy: "1.2.3",
    now: 9,
  });
}

export const prompt = (id: string, text: string, createdAt: number): Message => ({
  id,
  role: "user",
  origin: "typed",
  source: null,
  content: [{ type: "text", text }],
  createdAt,
});

export const reply = (id: string, text: string, createdAt: number, callId?: string): Message => ({
  id,
  role: "assistant",
  origin: null,
  source: null,
  content: [
    { type: "text", text },
    ...(callId ? [{ type: "tool_use" as const, id: callId, name: "grep", input: { pattern: text } }] : []),
  ],
  createdAt,
});

const rows = z.array(z.object({ json: z.string() }));

/** All that counts of a profile, each table's rows in an order that both profiles have. Numbers that only this file gives are left out. */
export function contentsOf(folder: string): Record<string, string[]> {
  const database = openDatabase(databaseIn(folder));
  const list = (sql: string) =>
    rows
      .parse(database.prepare(sql).all([]))
      .map(({ json }) => json)
      .sort();
  try {
    const alive = "session_id IN (SELECT id FROM sessions WHERE deleted_at IS NULL)";
    return {
      sessions:
        list(`SELECT json_array(id, parent_session_id, title, model, working_folder, created_at, updated_at, pinned,
        folder, draft, draft_attached, has_own_title, archived_at, head_message_id, chosen_model, chosen_effort) AS json
        FROM sessions WHERE deleted_at IS NULL`),
      messages:
        list(`SELECT json_array(id, session_id, parent_id, position, role, origin, source, created_at, model,
        thinking_ms, covers) AS json FROM messages WHERE ${alive}`),
      blocks: list(`SELECT json_array(message_id, seq, type, blocks.json) AS json FROM blocks
        JOIN messages ON messages.id = message_id WHERE ${alive}`),
      calls:
        list(`SELECT json_array(session_id, tool_use_id, message_id, name, input, hex(output), is_error) AS json
        FROM tool_calls WHERE ${alive}`),
      inputs: list(`SELECT json_array(id, session_id, json) AS json FROM inputs WHERE ${alive}`),
      lines:
        list(`SELECT json_array(id, session_id, who, text, started_at, ended_at) AS json FROM meeting_lines
        WHERE ${alive}`),
      asks: list(`SELECT json_array(session_id, id, asked_with) AS json FROM meeting_asks
        JOIN meeting_lines ON seq = line_seq WHERE ${alive}`),
      draftFiles: list("SELECT json_array(id, json) AS json FROM draft_files"),
      checkpoints: list(`SELECT json_array(c.seq, c.id, session_id, label, is_taken_back, (
        SELECT json_group_array(json_array(path, hash_before)) FROM checkpoint_files WHERE checkpoint_seq = c.seq
        )) AS json FROM checkpoints AS c WHERE ${alive}`),
      contents: list("SELECT json_array(hash, size, hex(bytes)) AS json FROM file_blobs"),
    };
  } finally {
    database.close();
  }
}
