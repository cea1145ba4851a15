import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KeptData } from "../../../../electron/desktop/shell/kept-data.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-kept-"));
  for (const name of ["data/logs", "data/parley.db.files", "data/recordings", "models/one"]) {
    mkdirSync(join(root, name), { recursive: true });
  }
  for (const [name, size] of Object.entries({
    "data/parley.db": 100,
    "data/parley.db-wal": 11,
    "data/parley.db.files/a": 20,
    "data/logs/parley.log": 30,
    "data/recordings/a.wav": 40,
    "data/settings.json": 5,
    "data/.env": 2,
    "models/one/model.onnx": 50,
  })) {
    writeFileSync(join(root, name), "x".repeat(size));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const kept = () => new KeptData({ folder: join(root, "data"), models: join(root, "models") });

test("each kind of data is as large as its files", async () => {
  const { parts } = await kept().info();
  expect(Object.fromEntries(parts.map(({ kind, bytes }) => [kind, bytes]))).toEqual({
    conversations: 111,
    checkpoints: 20,
    recordings: 40,
    models: 50,
    logs: 30,
    other: 7,
  });
});

test("nothing goes before the user says so", () => {
  kept().removeUnwanted();
  expect(readdirSync(join(root, "data"))).toHaveLength(7);
});

test("all goes at the end but what the user wrote, and the word for it goes last", () => {
  const data = kept();
  data.giveUp();
  expect(existsSync(join(root, "data/parley.db"))).toBe(true);
  data.removeUnwanted();
  expect(readdirSync(join(root, "data"))).toEqual([".env"]);
  expect(existsSync(join(root, "models"))).toBe(false);
});

test("a start goes on with what an end did not come to", () => {
  kept().giveUp();
  kept().removeUnwanted();
  expect(readdirSync(join(root, "data"))).toEqual([".env"]);
});
