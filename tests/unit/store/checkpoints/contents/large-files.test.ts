import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Contents } from "../../../../../electron/store/checkpoints/contents/contents.ts";
import { largeFolder } from "../../../../../electron/store/checkpoints/contents/large-files.ts";
import type { OpenedFile } from "../../../../../electron/store/checkpoints/contents/read-state.ts";
import { openDatabase } from "../../../../../electron/store/database/open-database.ts";

const limits = { maxFileBytes: 10, maxLargeBytes: 1000, minFreeBytes: 0 };
let base: string;
let database: ReturnType<typeof openDatabase>;
let contents: Contents;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "parley-large-files-"));
  database = openDatabase(join(base, "parley.db"));
  contents = new Contents(database, [randomBytes(32)], { now: Date.now, newId: () => "copy" });
});
afterEach(() => {
  database.close();
  rmSync(base, { recursive: true });
});

/** A file of a hundred bytes which has grown since it was looked at. */
function grown(name: string) {
  const path = join(base, name);
  writeFileSync(path, "x".repeat(100));
  const stats = statSync(path, { bigint: true });
  const opened: OpenedFile = (use) => {
    appendFileSync(path, "y".repeat(5000));
    const fd = openSync(path, "r");
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  };
  return [path, stats, opened] as const;
}

// Bug: one that grew as fast as it was copied was copied until the disk was full.
test.each(["log", ".env"])("of a file that grows meanwhile (%s) no more is kept than there was", (name) => {
  const keeper = contents.keeping(limits);
  const kept = keeper.large(...grown(name));
  keeper.release();
  expect(kept).toMatchObject({ size: 100 });
  const target = join(base, "target");
  const fd = openSync(target, "wx");
  expect(contents.copyTo(typeof kept === "string" ? kept : kept.hash, fd)).toBe(true);
  closeSync(fd);
  expect(statSync(target).size).toBe(100);
  const [copy = ""] = readdirSync(largeFolder(database.file));
  expect(statSync(join(largeFolder(database.file), copy)).size).toBeLessThan(200);
});

test("of a file that grows meanwhile no more is read than there was", () => {
  expect(contents.looking(limits).large(...grown("log"))).toMatchObject({ size: 100 });
});
