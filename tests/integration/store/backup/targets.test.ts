import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backUpOf, databaseIn, inProfile } from "./profile.ts";

let folder: string;
let profile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-target-"));
  profile = join(folder, "profile");
  const session = { title: "c", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 };
  inProfile(profile, (store) => store.saveConversation({ id: "c", ...session }));
});
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 3 }));

// Bug: a back-up to the database's own path replaced all conversations by the back-up, and said that all was well.
test.each([
  "parley.db",
  "parley.db-wal",
  "parley.db.search",
  "../other",
  "../link",
  "../by-folder/parley.db",
])("a back-up does not replace Parley's own database: %s", async (name) => {
  linkSync(databaseIn(profile), join(folder, "other"));
  symlinkSync(databaseIn(profile), join(folder, "link"));
  symlinkSync(profile, join(folder, "by-folder"));
  const before = readFileSync(databaseIn(profile));
  await expect(backUpOf(profile, join(profile, name))).rejects.toThrow("belongs to Parley's own database");
  expect(readFileSync(databaseIn(profile))).toEqual(before);
  expect(readdirSync(profile).filter((other) => other.startsWith("back-up-"))).toEqual([]);
});

// Bug: a back-up to a device or a pipe took its place.
test("what is there and is no file stays, and is named", async () => {
  const pipe = join(folder, "pipe");
  spawnSync("mkfifo", [pipe]);
  await expect(backUpOf(profile, pipe)).rejects.toThrow(`The back-up was not made: ${pipe} is not a file`);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  mkdirSync(join(folder, "sub"));
  await expect(backUpOf(profile, join(folder, "sub"))).rejects.toThrow("is a folder: name a file in it.");
});

test("a back-up takes the place of an older one, also behind a link, and of what one that was ended left", async () => {
  const file = join(folder, "old.parley-back-up");
  writeFileSync(file, "old");
  writeFileSync(`${file}.part`, "half");
  symlinkSync(file, join(folder, "link"));
  await backUpOf(profile, join(folder, "link"));
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(file).subarray(0, 2).toString()).toBe("PK");
  expect(existsSync(`${file}.part`)).toBe(false);
});
