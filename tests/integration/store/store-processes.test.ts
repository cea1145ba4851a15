import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { messageLostOrDoubled } from "../../../scripts/test/grave.mjs";

let folder: string;
let file: string;
const writers = new Set<{ child: ChildProcess; ended: Promise<unknown> }>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-store-"));
  file = join(folder, "parley.db");
});
afterEach(async () => {
  for (const { child, ended } of writers) {
    child.kill("SIGKILL");
    await ended;
  }
  writers.clear();
  rmSync(folder, { recursive: true });
});

test("every message whose append returned is there after kill -9, in order, and the file goes on working", async () => {
  for (const [round, enough] of [1, 40, 700].entries()) {
    const conversationId = `killed-${round}`;
    const writer = startWriter(conversationId);
    await writer.said(enough);
    writer.child.kill("SIGKILL");
    await writer.ended;

    const store = openSqliteStore(file, fail);
    const kept = store.loadMessages(conversationId);
    const written = kept.map(({ id }) => id).slice(0, writer.lines.length);
    expect(written, messageLostOrDoubled).toEqual(writer.lines);
    // The one in hand when it died may be there as well, then whole.
    expect(kept.length - writer.lines.length).toBeLessThanOrEqual(1);
    for (const { content } of kept) expect(content).toHaveLength(1);
    store.appendMessage(conversationId, {
      id: `after-${round}`,
      role: "user",
      origin: "typed",
      source: null,
      content: [],
      createdAt: 1,
    });
    expect(store.loadMessages(conversationId)).toHaveLength(kept.length + 1);
    store.close();
  }
});

test("of two processes that begin with one file at once, one writes to it and the other is told so", async () => {
  const both = ["one", "two"].map((name) => startWriter(name));
  const loser = await Promise.race(both.map((writer) => writer.ended.then(() => writer)));
  const winner = both.find((writer) => writer !== loser);
  expect(loser.complaints()).toContain(`Another Parley is using ${file} (process ${winner?.child.pid}).`);
  expect(loser.lines).toEqual([]);
  await winner?.said(50);
});

function startWriter(conversationId: string) {
  const script = join(import.meta.dirname, "../../fixtures/store-writer.ts");
  const args = ["--import", "tsx", script, file, conversationId];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  let errors = "";
  let rest = "";
  let look = () => {};
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const [last = "", ...whole] = (rest + text).split("\n").reverse();
    rest = last;
    lines.push(...whole.reverse());
    look();
  });
  // `close`: its output has been read to the end.
  const ended = once(child, "close").then(([code]: (number | null)[]) => code);
  writers.add({ child, ended });
  return {
    child,
    lines,
    ended,
    complaints: () => errors,
    /** Resolves when it has said `count` lines; rejects when it ends before. */
    said: (count: number) =>
      new Promise<void>((resolve, reject) => {
        look = () => {
          if (lines.length >= count) resolve();
        };
        void ended.then(() => reject(new Error(`The writer ended early.\n${errors}`)));
        look();
      }),
  };
}

function fail(error: unknown): never {
  throw error;
}
