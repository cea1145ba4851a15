import { z } from "zod";
import type { StoredConversation } from "../agent/ports.ts";
import type { Database } from "./database.ts";

export interface Sessions {
  save(session: StoredConversation): void;
  list(limit: number): StoredConversation[];
  load(id: string): StoredConversation | undefined;
}

const sessionRow = z
  .object({
    id: z.string(),
    title: z.string(),
    model: z.string(),
    working_folder: z.string(),
    created_at: z.number(),
    updated_at: z.number(),
  })
  .transform(
    ({ id, title, model, working_folder, created_at, updated_at }): StoredConversation => ({
      id,
      title,
      workingFolder: working_folder,
      model,
      createdAt: created_at,
      updatedAt: updated_at,
    }),
  );

/** The table `sessions`. */
export function sessionsOf(database: Database): Sessions {
  const upsert = database.prepare(`
    INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, model = excluded.model,
      working_folder = excluded.working_folder, updated_at = excluded.updated_at`);
  const select = database.prepare(`
    SELECT id, title, model, working_folder, created_at, updated_at FROM sessions
    ORDER BY updated_at DESC, id DESC LIMIT ?`);
  const selectOne = database.prepare(
    "SELECT id, title, model, working_folder, created_at, updated_at FROM sessions WHERE id = ?",
  );
  return {
    save({ id, title, model, workingFolder, createdAt, updatedAt }) {
      upsert.run([id, title, model, workingFolder, createdAt, updatedAt]);
    },
    load: (id) => z.array(sessionRow).parse(selectOne.all([id]))[0],
    list: (limit) => z.array(sessionRow).parse(select.all([limit])),
  };
}
