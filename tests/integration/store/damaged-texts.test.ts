import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-damaged-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const minuteMs = 60_000;

// Bug: one damaged byte in the text of a checkpoint ended Parley at every start, one in a reply that was cut off kept the
// whole database from being opened, and one in a title hid every conversation.
test("one damaged byte in any column of text ends nothing, and hides nothing but what it is in", {
  timeout: 5 * minuteMs,
}, async () => {
  const out = join(folder, "out");
  writeFileSync(out, "");
  const child = spawn(
    process.execPath,
    ["--import", "tsx", join(import.meta.dirname, "../../fixtures/damaged-texts/child.ts"), folder, out],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const [code, signal] = await once(child, "close");
  const lines = readFileSync(out, "utf8").trim().split("\n");
  expect({ code, signal, last: lines.at(-1) }, errors).toMatchObject({ code: 0, signal: null });
  // Every column that Parley fills: only the seal of an earlier Parley's contents is none.
  expect(lines.filter((line) => !line.endsWith(":"))).toEqual(["content_seals.last: empty"]);
  expect(lines.length).toBeGreaterThan(75);
});
