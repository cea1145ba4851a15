import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointEngine } from "../../electron/store/checkpoints/checkpoint-engine.ts";
import { limitsOf } from "../../electron/store/checkpoints/limits.ts";
import { openDatabase } from "../../electron/store/database/open-database.ts";
import { defaultSettings } from "../../shared/settings.ts";

/**
 * A checkpoint of 1,000 files of 10 KB, none of whose content is kept yet: what stands before the first shell command
 * of a turn. @returns milliseconds, one figure a round
 */
export async function measureCheckpoints(rounds: number): Promise<number[]> {
  const base = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const database = openDatabase(join(base, "parley.db"));
  database.exec(
    "INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('c', '', 'm', '/', 1, 1)",
  );
  let ids = 0;
  const engine = checkpointEngine(database, { now: Date.now, newId: () => `checkpoint-${ids++}` });
  const figures: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const workingFolder = join(base, `work-${round}`);
    mkdirSync(workingFolder);
    for (let file = 0; file < 1000; file++) {
      writeFileSync(join(workingFolder, `file-${file}.txt`), randomBytes(5000).toString("hex"));
    }
    const call = {
      conversationId: "c",
      messageId: `message-${round}`,
      runId: `run-${round}`,
      label: "A turn",
      toolUseId: `call-${round}`,
      paths: null,
      workingFolder,
    };
    const started = performance.now();
    const { notRestorable } = await engine.before(call, limitsOf(defaultSettings));
    figures.push(performance.now() - started);
    if (notRestorable.length > 0) throw new Error(`${notRestorable.length} paths were not kept.`);
    await engine.after(call, limitsOf(defaultSettings));
  }
  database.close();
  rmSync(base, { recursive: true });
  return figures;
}
