import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import type { Database } from "./database.ts";
import { makePrivate } from "./private-file.ts";

/** A copy as of now. Whole or not at all: it gets its name when it is on the disk. @throws StoreError */
export function copyDatabase(database: Database, copy: string): void {
  const unfinished = `${copy}.unfinished`;
  database.guard(() => {
    rmSync(unfinished, { force: true });
    makePrivate(unfinished);
  });
  database.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
  database.guard(() => {
    const handle = openSync(unfinished, "r+");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, copy);
  });
}
