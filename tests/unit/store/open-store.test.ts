import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openStore } from "../../../electron/store/open-store.ts";
import type { Message } from "../../../shared/conversation/messages.ts";

let folder: string;
let errors: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-open-store-"));
  errors = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (enabled: boolean, file: string) =>
  openStore({ enabled, file, reportError: (error) => errors.push(error) });

/** Keeps a prompt and finds it again. */
async function keepsAndFinds(store: SessionStore): Promise<void> {
  const times = { createdAt: 1, updatedAt: 1 };
  store.saveConversation({ id: "c", title: "The garden", workingFolder: "/", model: "m", ...times });
  const prompt: Message = {
    id: "p",
    role: "user",
    origin: "typed",
    source: null,
    content: [{ type: "text", text: "Where do hyacinths grow?" }],
    createdAt: 2,
  };
  store.appendMessage("c", prompt);
  expect(store.loadMessages("c")).toEqual([prompt]);
  expect(await store.search({ words: "hyacinths", limit: 5 })).toMatchObject([{ messageId: "p" }]);
}

test("a database that cannot be opened is stood in for by one in memory, and that nothing is kept is said", async () => {
  writeFileSync(join(folder, "parley"), "no folder");
  const { store, problem } = open(true, join(folder, "parley/parley.db"));
  expect(problem).toMatchObject({
    code: "store",
    message: expect.stringContaining("parley.db cannot be"),
    hint: expect.stringContaining("Conversations are not kept"),
  });
  expect(errors).toHaveLength(1);
  await keepsAndFinds(store);
  store.close();
});

test("memory that is switched off is a database in memory: nothing is written, nothing pruned", async () => {
  const file = join(folder, "parley.db");
  const { store, problem } = open(false, file);
  expect(problem).toBeNull();
  await keepsAndFinds(store);
  const rules = { sessionDays: 1, maxSessions: 1, eventDays: 1, checkpointDays: 1, checkpointMb: 1 };
  await store.prune(rules, Date.now(), []);
  expect(store.loadConversation("c")).toBeDefined();
  store.close();
  expect(readdirSync(folder)).toEqual([]);
  expect(errors).toEqual([]);
});

test("two of them at once know nothing of each other", async () => {
  const [one, other] = [open(false, "one.db").store, open(false, "other.db").store];
  await keepsAndFinds(one);
  expect(other.listConversations(5)).toEqual([]);
  await keepsAndFinds(other);
  one.close();
  other.close();
});
