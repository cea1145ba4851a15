import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database/database.ts";

/** The longest that one transaction goes on, in milliseconds: the main process waits for it. */
const stepMs = 4;
/** SQLite asks for a lock again after at most 25 ms: a pause as long as that lets a waiting write in. */
const pauseMs = 25;

/** Writes `rows` one by one, in transactions short enough for the main process to wait for, with a pause between two. */
export async function inShortWrites<T>(
  database: Database,
  rows: readonly T[],
  write: (row: T) => void,
): Promise<void> {
  for (let next = 0; next < rows.length; ) {
    if (next > 0) await sleep(pauseMs);
    const end = performance.now() + stepMs;
    database.transaction(() => {
      while (next < rows.length && performance.now() < end) {
        const row = rows[next++];
        if (row !== undefined) write(row);
      }
    });
  }
}
