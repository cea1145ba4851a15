import type { SessionStore } from "../../agent/ports/session-store.ts";
import { exportSession } from "./session-exchange.ts";
import { writeWhole } from "./whole-file.ts";

/** More than anybody has. */
const mostSessions = 1_000_000;

/**
 * All conversations in one file, archived ones included, each as its own export has it. They are written one by one: all of them
 * need not fit into memory.
 * @returns how many there are @throws Error where it cannot be written; nothing is left then
 */
export async function exportAll(store: SessionStore, path: string, now: number): Promise<number> {
  let count = 0;
  await writeWhole(path, async (file) => {
    const head = { format: "parley-conversations", version: 1, exportedAt: new Date(now).toISOString() };
    await file.write(`${JSON.stringify(head).slice(0, -1)},"conversations":[`);
    for (const id of allIds(store)) {
      const text = JSON.stringify(await exportSession(store, id));
      await file.write(`${count === 0 ? "\n" : ",\n"}${text}`);
      count++;
    }
    await file.write("\n]}\n");
  });
  return count;
}

const allIds = (store: SessionStore): string[] =>
  [false, true].flatMap((isArchived) =>
    store.listSessions({ limit: mostSessions, isArchived }).map(({ id }) => id),
  );
