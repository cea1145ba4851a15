import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { Message } from "../../../shared/conversation/messages.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-long-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

// Two blocks go with the message, sixteen with a statement: around these numbers, and far beyond.
test.each([2, 3, 18, 19, 34, 35, 100])("a message of %i blocks is whole after a restart", (count) => {
  const message: Message = {
    id: "m",
    role: "user",
    origin: "typed",
    source: null,
    content: Array.from({ length: count }, (_, place) => ({ type: "text", text: `block ${place}` })),
    createdAt: 1,
  };
  const open = () => openSqliteStore(join(folder, "parley.db"), (error) => expect.unreachable(String(error)));
  const store = open();
  const dates = { createdAt: 1, updatedAt: 1 };
  store.saveConversation({ id: "c", title: "A", workingFolder: "/", model: "opus", ...dates });
  store.appendMessage("c", message);
  store.close();
  const again = open();
  expect(again.loadMessages("c")).toEqual([message]);
  again.close();
});
