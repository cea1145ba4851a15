import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFolder } from "../../../../electron/agent/conversation/open-folder.ts";
import { toUserError } from "../../../../electron/agent/loop/user-error.ts";
import { WorkingFolders } from "../../../../electron/tools/environment/working-folders.ts";

let place: string;
let folders: WorkingFolders;
let said: string[];
const at = (name: string) => join(place, name);
const opened = async (name: string) => {
  const options = {
    openEnvironment: (folder: string) => folders.open(folder),
    workingFolder: () => folders.first.workingDirectory,
    ownFolder: () => folders.own,
  };
  const tell = (folder: string, { message }: { message: string }) => said.push(`${folder}: ${message}`);
  return (await openFolder(options, at(name), tell)).workingDirectory;
};

beforeEach(async () => {
  said = [];
  place = realpathSync(mkdtempSync(join(tmpdir(), "parley-open-folder-")));
  folders = await WorkingFolders.open(at("first"), at("own"));
});
afterEach(async () => {
  await folders.cleanup();
  rmSync(place, { recursive: true, force: true });
});

const instead = (gone: string, other: string) =>
  `${at(other)}: There is no folder ${at(gone)}. This conversation continues in ${at(other)}.`;

test("a folder that is gone gives way to that of new conversations, and that to Parley's own", async () => {
  expect(await opened("first")).toBe(at("first"));
  expect(said).toEqual([]);
  expect(await opened("gone")).toBe(at("first"));
  expect(said).toEqual([instead("gone", "first")]);
  rmSync(at("first"), { recursive: true });
  expect(await opened("gone")).toBe(at("own"));
  expect(await opened("first")).toBe(at("own"));
  expect(said.slice(1)).toEqual([instead("gone", "own"), instead("first", "own")]);
});

test("Parley's own is made again, and there is nothing to say", async () => {
  expect(await opened("own")).toBe(at("own"));
  expect(said).toEqual([]);
});

test("where a link stands in the place of another one, it is not followed", async () => {
  rmSync(at("first"), { recursive: true });
  symlinkSync(place, at("own"));
  await expect(opened("first")).rejects.toThrow(`There is no folder ${at("first")}.`);
  expect(said).toEqual([]);
});

test("where none can be had, it is said what to do", async () => {
  rmSync(at("first"), { recursive: true });
  symlinkSync(at("nowhere"), at("own"));
  const error = await opened("first").catch(toUserError);
  expect(error).toEqual({
    code: "working_folder",
    message: `There is no folder ${at("first")}.`,
    hint: "`/cd PATH` chooses another folder.",
  });
});
