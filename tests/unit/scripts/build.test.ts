import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sourcesHash } from "../../../scripts/setup/build.mjs";

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "parley-build-"));
  for (const name of ["electron", "shared"]) mkdirSync(join(clone, name));
  write("electron/main.ts", "one");
  write("package-lock.json", "{}");
});

afterEach(() => rmSync(clone, { recursive: true }));

describe("the build is made again", () => {
  test("when a source changes, and not when it is the same again", () => {
    const before = sourcesHash(clone);
    write("electron/main.ts", "two");
    expect(sourcesHash(clone)).not.toBe(before);
    write("electron/main.ts", "one");
    expect(sourcesHash(clone)).toBe(before);
  });

  test("when a source is added, renamed or removed", () => {
    const hashes = [sourcesHash(clone)];
    write("shared/events.ts", "");
    hashes.push(sourcesHash(clone));
    renameSync(join(clone, "shared/events.ts"), join(clone, "shared/ipc.ts"));
    hashes.push(sourcesHash(clone));
    rmSync(join(clone, "electron/main.ts"));
    hashes.push(sourcesHash(clone));
    expect(new Set(hashes).size).toBe(4);
  });

  test("when bytes move from one file to the next", () => {
    write("electron/next.ts", "two");
    const before = sourcesHash(clone);
    write("electron/main.ts", "onet");
    write("electron/next.ts", "wo");
    expect(sourcesHash(clone)).not.toBe(before);
  });

  test("when the packages change, but not for a document", () => {
    const before = sourcesHash(clone);
    write("README.md", "words");
    expect(sourcesHash(clone)).toBe(before);
    write("package-lock.json", "{ }");
    expect(sourcesHash(clone)).not.toBe(before);
  });
});

function write(path: string, content: string): void {
  writeFileSync(join(clone, path), content);
}
