import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderRoutes } from "../../../electron/desktop/ipc/folder-routes.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { openLocalEnvironment } from "../../../electron/tools/environment/local-environment.ts";

/** Three conversations in two folders that are there and one that is not, with the real store. */
function setUp() {
  const around = mkdtempSync(join(tmpdir(), "parley-folders-"));
  const [first, second, gone] = ["first", "second", "gone"].map((name) => join(around, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(first, ".git"), { recursive: true });
  writeFileSync(join(first, ".git", "HEAD"), "ref: refs/heads/main\n");
  mkdirSync(second);
  const store = openSqliteStore(join(around, "parley.db"), (error) => {
    throw error;
  });
  for (const [at, workingFolder] of [first, second, gone, first].entries()) {
    store.saveConversation({
      id: `c${at}`,
      title: "",
      workingFolder,
      model: "opus",
      createdAt: at,
      updatedAt: at,
    });
  }
  const conversation = {
    workingFolder: second,
    changeFolder: async (folder: string) => {
      conversation.workingFolder = folder;
    },
  };
  const openFolder = (folder: string) => openLocalEnvironment(folder, {});
  const routes = folderRoutes({ find: () => conversation, store, openFolder });
  return { routes, conversation, first, second, gone };
}

test("recent folders stand once each, the last used first, without those that are gone", async () => {
  const { routes, first, second } = setUp();
  expect(await routes["folder.recent"]()).toEqual({ folders: [first, second] });
});

test("a window leads a conversation to a folder that was used before, and to no other", async () => {
  const { routes, conversation, first, second } = setUp();
  const conversationId = "c1";
  await expect(routes["conversation.setFolder"]({ conversationId, folder: "/etc" })).rejects.toThrow(
    "No conversation has worked in that folder",
  );
  expect(conversation.workingFolder).toBe(second);
  await routes["conversation.setFolder"]({ conversationId, folder: first });
  expect(conversation.workingFolder).toBe(first);
});

test("a folder with a Git history says so", async () => {
  const { routes, first } = setUp();
  const conversationId = "c1";
  expect(await routes["folder.facts"]({ conversationId })).toEqual({ hasHistory: false });
  await routes["conversation.setFolder"]({ conversationId, folder: first });
  expect(await routes["folder.facts"]({ conversationId })).toEqual({ hasHistory: true });
});
