import { z } from "zod";
import { type QueuedInput, queuedInput } from "../../../shared/conversation/events.ts";
import type { Database } from "../database/database.ts";

export interface Inputs {
  save(sessionId: string, input: QueuedInput): void;
  delete(inputId: string): void;
  load(sessionId: string): QueuedInput[];
}

const inputRows = z.array(
  z.object({ json: z.string().transform((json) => queuedInput.parse(JSON.parse(json))) }),
);

/** The table `inputs`: prompts that wait. As JSON, so that no character of what was typed can be lost. */
export function inputsOf(database: Database): Inputs {
  const upsert = database.prepare(`
    INSERT INTO inputs (id, session_id, json) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, json = excluded.json`);
  const remove = database.prepare("DELETE FROM inputs WHERE id = ?");
  const select = database.prepare("SELECT json FROM inputs WHERE session_id = ? ORDER BY place");
  return {
    save(sessionId, input) {
      upsert.run([input.inputId, sessionId, JSON.stringify(input)]);
    },
    delete(inputId) {
      remove.run([inputId]);
    },
    load: (sessionId) =>
      database.guard(() => inputRows.parse(select.all([sessionId])).map(({ json }) => json)),
  };
}
