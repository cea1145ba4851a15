import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readProject } from "../../../electron/agent/context/project-documents.ts";
import { parseSmallJson, readSmallFile } from "../../../electron/files/small-file.ts";
import { readConfig } from "../../../electron/mcp/config/config.ts";
import { ConfigFiles } from "../../../electron/mcp/config/config-files.ts";
import { readProjectRules } from "../../../electron/permissions/project-rules.ts";
import { readFolderEnvironment, readOwnEnvironment } from "../../../electron/settings/env-file.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { readCatalogue } from "../../../electron/stt-server/models/read-catalogue.ts";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
import { endsInTime } from "../../fixtures/ends-in-time.ts";
import { hostileFiles, putHostile } from "../../fixtures/hostile-files.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-small-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const trusted = () => true;
/** Many times what is read of an ordinary one. */
const mostBytes = 50_000_000;

/** How many bytes this process has read so far. */
const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

/** What reads each, and how it says that it could not; null where it names nothing itself. */
const readers: [name: string, file: string, read: (path: string) => unknown][] = [
  ["rules", ".parley/permissions.json", () => readProjectRules(folder).problem],
  ["variables of a folder", ".env", () => Object.keys(readFolderEnvironment(folder, trusted)).length === 0],
  ["the user's variables", ".env", () => Object.keys(readOwnEnvironment({}, {}, folder)).length === 0],
  ["servers", ".mcp.json", () => problemsOfServers()],
  ["a catalogue", "models.json", (path) => readCatalogue({ PARLEY_SPEECH_CATALOGUE: path }).problem?.message],
  ["an import", "theirs.json", (path) => importOf(path)],
];

function problemsOfServers(): string | undefined {
  const files = new ConfigFiles({ settings: () => ({}), userData: join(folder, "data"), isTrusted: trusted });
  return readConfig(files.read(folder)).problems[0]?.message;
}

async function importOf(path: string): Promise<string> {
  const files = new SessionFiles({ store: openMemoryStore(() => {}), newId: () => "id", now: () => 1 });
  return await files.read(path, folder).then(
    () => "",
    (error: Error) => error.message,
  );
}

describe.skipIf(process.platform !== "linux").each(hostileFiles)("%s", (_, make) => {
  test.each(readers)("in the place of %s is named, and not read to its end", async (_, file, read) => {
    const path = putHostile(folder, file, make);
    const before = bytesRead();
    expect(await endsInTime(() => read(path))).toBeTruthy();
    expect(bytesRead() - before).toBeLessThan(mostBytes);
  });

  test("in the place of AGENTS.md is not told to the model, nor read to its end", async () => {
    putHostile(folder, "AGENTS.md", make);
    const before = bytesRead();
    const { documents } = await endsInTime(() => readProject(folder, [], trusted));
    expect(bytesRead() - before).toBeLessThan(mostBytes);
    // Text that is nothing but odd is what AGENTS.md may hold.
    expect(documents.every(({ text }) => text.length <= 33_000)).toBe(true);
  });
});

describe("a small file", () => {
  const most = 100;

  test("is text up to its limit, without the mark at its beginning", () => {
    const path = join(folder, "a");
    writeFileSync(path, "\uFEFFä");
    expect(readSmallFile(path, { most })).toEqual({ kind: "text", text: "ä" });
    writeFileSync(path, "x".repeat(most));
    expect(readSmallFile(path, { most })).toMatchObject({ kind: "text" });
    writeFileSync(path, "x".repeat(most + 1));
    expect(readSmallFile(path, { most })).toMatchObject({ kind: "refused" });
    expect(readSmallFile(join(path, "below"), { most })).toEqual({ kind: "missing" });
  });

  test("that a link leads to counts inside of its folder alone", () => {
    mkdirSync(join(folder, "in"));
    writeFileSync(join(folder, "secret"), "s");
    writeFileSync(join(folder, "in/real"), "r");
    symlinkSync("real", join(folder, "in/link"));
    symlinkSync("../secret", join(folder, "in/out"));
    const within = join(folder, "in");
    expect(readSmallFile(join(within, "link"), { most, within })).toEqual({ kind: "text", text: "r" });
    expect(readSmallFile(join(within, "out"), { most, within })).toMatchObject({ kind: "refused" });
  });

  // A program of the folder's swaps the folder for a link while Parley reads.
  test.skipIf(process.platform !== "linux")(
    "is never one from outside, whatever is swapped meanwhile",
    async () => {
      const { Worker } = await import("node:worker_threads");
      mkdirSync(join(folder, "home/secrets"), { recursive: true });
      mkdirSync(join(folder, "work/real"), { recursive: true });
      writeFileSync(join(folder, "home/secrets/f"), "secret");
      writeFileSync(join(folder, "work/real/f"), "mine");
      symlinkSync("real", join(folder, "work/at"));
      // Whether to stop, and how often it was swapped.
      const stop = new SharedArrayBuffer(8);
      const swapping = new Worker(swapper, {
        eval: true,
        workerData: { folder: join(folder, "work"), stop },
      });
      await new Promise((resolve) => swapping.once("message", resolve));
      const within = join(folder, "work");
      const seen = new Set<string>();
      const swaps = () => Atomics.load(new Int32Array(stop), 1);
      for (let round = 0; round < 10_000 || swaps() < 10_000; round++) {
        const read = readSmallFile(join(within, "at/f"), { most, within });
        seen.add(read.kind === "text" ? read.text : read.kind);
      }
      Atomics.store(new Int32Array(stop), 0, 1);
      await new Promise((resolve) => swapping.once("exit", resolve));
      expect(seen, attackCameThrough).not.toContain("secret");
      expect([...seen].filter((one) => one !== "mine" && one !== "refused" && one !== "missing")).toEqual([]);
    },
  );
});

/** Puts a link to the inside and one to the outside in each other's place. */
const swapper = `
const { symlinkSync, renameSync } = require("node:fs");
const { parentPort, workerData: { folder, stop } } = require("node:worker_threads");
const flag = new Int32Array(stop);
parentPort.postMessage("on");
while (Atomics.load(flag, 0) === 0) {
  for (const target of ["../home/secrets", "real"]) {
    symlinkSync(target, folder + "/new");
    renameSync(folder + "/new", folder + "/at");
    Atomics.add(flag, 1, 1);
  }
}`;

test("JSON of somebody else's is refused without a word of it", () => {
  expect(parseSmallJson('{"a":"[[[[\\"{{{"}')).toEqual({ a: '[[[["{{{' });
  expect(() => parseSmallJson("Press Y")).toThrow(/^is not valid JSON$/);
  expect(() => parseSmallJson(`${"[".repeat(201)}1${"]".repeat(201)}`)).toThrow(
    "nests deeper than 200 levels",
  );
});
