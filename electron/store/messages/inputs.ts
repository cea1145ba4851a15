import { z } from "zod";
import { type QueuedInput, queuedInput } from "../../../shared/conversation/events.ts";
import type { Database } from "../database/database.ts";
import { bytesOf, jsonColumn } from "../database/text-column.ts";
import { asksOf } from "./meeting-lines.ts";

export interface Inputs {
  save(sessionId: string, input: QueuedInput): void;
  delete(inputId: string): void;
  load(sessionId: string): QueuedInput[];
}

const inputRows = z.array(z.object({ json: jsonColumn.pipe(queuedInput) }));

/** The table `inputs`: prompts that wait, with the lines of a meeting that each brings. As JSON, so that no character of what was typed can be lost. */
export function inputsOf(database: Database): Inputs {
  const upsert = database.prepare(`
    INSERT INTO inputs (id, session_id, json) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, json = excluded.json`);
  const remove = database.prepare("DELETE FROM inputs WHERE id = ?");
  const select = database.prepare(
    `SELECT ${bytesOf("json")} FROM inputs WHERE session_id = ? ORDER BY place`,
  );
  const ask = asksOf(database);
  return {
    save(sessionId, input) {
      const { inputId, meeting } = input;
      const save = () => upsert.run([inputId, sessionId, JSON.stringify(input)]);
      if (!meeting) return void save();
      database.transaction(() => {
        save();
        ask(sessionId, inputId, meeting);
      });
    },
    delete(inputId) {
      remove.run([inputId]);
    },
    load: (sessionId) =>
      database.guard(() => inputRows.parse(select.all([sessionId])).map(({ json }) => json)),
  };
}
