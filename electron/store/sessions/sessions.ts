import { z } from "zod";
import type { StoredConversation, StoredUsage } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";
import { asList, bytesOf, readableIn, shownText, textColumn, wholeText } from "../database/text-column.ts";

export interface Sessions {
  save(session: StoredConversation): void;
  list(limit: number): StoredConversation[];
  load(id: string): StoredConversation | undefined;
  usageOf(id: string): StoredUsage[];
}

const sessionsIn = readableIn(
  z
    .tuple([wholeText, wholeText.nullable(), shownText, shownText, shownText, z.number(), z.number()])
    .transform(
      ([id, parentId, title, model, workingFolder, createdAt, updatedAt]): StoredConversation => ({
        id,
        ...(parentId !== null && { parentId }),
        title,
        workingFolder,
        model,
        createdAt,
        updatedAt,
      }),
    ),
);
const columns = "id, parent_session_id, title, model, working_folder, created_at, updated_at";

const usageRow = z
  .object({
    model: textColumn,
    created_at: z.number(),
    input_tokens: z.number(),
    output_tokens: z.number(),
    cache_read_tokens: z.number(),
    cache_write_tokens: z.number(),
  })
  .transform(
    (row): StoredUsage => ({
      usage: {
        inputTokens: row.input_tokens,
        outputTokens: row.output_tokens,
        cacheReadTokens: row.cache_read_tokens,
        cacheWriteTokens: row.cache_write_tokens,
      },
      model: row.model,
      createdAt: row.created_at,
    }),
  );

/** The table `sessions`. */
export function sessionsOf(database: Database): Sessions {
  const upsert = database.prepare(`
    INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, model = excluded.model,
      working_folder = excluded.working_folder, updated_at = excluded.updated_at`);
  const select = database.prepare(
    asList(
      columns,
      `SELECT ${columns} FROM sessions WHERE parent_session_id IS NULL AND deleted_at IS NULL
       ORDER BY updated_at DESC, id DESC LIMIT ?`,
    ),
  );
  const selectOne = database.prepare(asList(columns, `SELECT ${columns} FROM sessions WHERE id = ?`));
  const selectUsage = database.prepare(`
    WITH RECURSIVE family (id) AS (
      SELECT id FROM sessions WHERE id = ?
      UNION
      SELECT sessions.id FROM family JOIN sessions ON parent_session_id = family.id
    )
    SELECT ${bytesOf("model")}, created_at, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens
    FROM family JOIN messages ON messages.session_id = family.id
    WHERE model IS NOT NULL AND input_tokens IS NOT NULL ORDER BY created_at, position`);
  return {
    save({ id, parentId, title, model, workingFolder, createdAt, updatedAt }) {
      upsert.run([id, parentId ?? null, title, model, workingFolder, createdAt, updatedAt]);
    },
    load: (id) => database.guard(() => sessionsIn(selectOne.all([id]))[0]),
    list: (limit) => database.guard(() => sessionsIn(select.all([limit]))),
    usageOf: (id) => database.guard(() => z.array(usageRow).parse(selectUsage.all([id]))),
  };
}
