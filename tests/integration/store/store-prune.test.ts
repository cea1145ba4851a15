import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PruneRules, SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { connectAgain, openDatabase } from "../../../electron/store/database/open-database.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { readIntoIndex } from "../../fixtures/read-into-index.ts";

const day = 86_400_000;
const now = 1000 * day;
const never: PruneRules = {
  sessionDays: 0,
  maxSessions: 0,
  eventDays: 0,
  checkpointDays: 0,
  checkpointMb: 0,
};

let folder: string;
let file: string;
let store: SessionStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-prune-"));
  file = join(folder, "parley.db");
  store = openSqliteStore(file, fail);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const message = (id: string, createdAt: number): Message => ({
  id,
  role: "user",
  origin: "typed",
  source: null,
  content: [{ type: "text", text: `Says ${id}` }],
  createdAt,
});

/** A session last used so many days ago, with three messages, a call, and a sub-agent's session below it. */
function used(id: string, daysAgo: number): void {
  const at = now - daysAgo * day;
  const session = { id, title: id, workingFolder: "/", model: "m", createdAt: at, updatedAt: at };
  store.saveConversation(session);
  for (const place of [1, 2, 3]) store.appendMessage(id, message(`${id}-${place}`, at));
  store.saveToolCall(id, {
    toolUseId: "t",
    messageId: `${id}-2`,
    name: "shell",
    input: {},
    output: `output of ${id}`,
    isError: false,
    durationMs: 1,
    wasTruncated: false,
    originalChars: 1,
  });
  store.saveConversation({ ...session, id: `${id}-agent`, parentId: id });
  store.appendMessage(`${id}-agent`, message(`${id}-agent-1`, at));
}

const listed = () => store.listSessions({ limit: 99 }).map(({ id }) => id);
const rowsOf = (table: string) => {
  const database = openDatabase(file);
  const rows = database.prepare(`SELECT count(*) AS rows FROM ${table}`).all([]);
  database.close();
  return rows;
};

test("old sessions go with all below them, but for pinned and open ones", async () => {
  for (const [id, days] of [
    ["young", 5],
    ["old", 11],
    ["pinned", 12],
    ["open", 13],
  ] as const)
    used(id, days);
  store.changeSession("pinned", { isPinned: true });
  readIntoIndex(file);
  expect(await store.search({ words: "output", limit: 9 })).toHaveLength(4);
  const rules = { ...never, sessionDays: 10 };
  expect(await store.prune(rules, now, ["open"])).toEqual({ sessions: 1, events: 0, checkpoints: 0 });
  expect(listed()).toEqual(["pinned", "young", "open"]);
  expect(store.loadSession("old")).toBeUndefined();
  expect(store.loadSession("old-agent")).toBeUndefined();
  expect(rowsOf("messages")).toEqual([{ rows: 12 }]);
  expect(rowsOf("tool_calls")).toEqual([{ rows: 3 }]);
  expect(store.loadMessages("open")).toHaveLength(3);
  expect(await store.search({ words: "output", limit: 9 })).toHaveLength(3);
  const index = connectAgain(`${file}.search`);
  const read = index.prepare("SELECT DISTINCT session_id AS id FROM documents ORDER BY id").all([]);
  index.close();
  expect(read).toEqual([{ id: "open" }, { id: "pinned" }, { id: "young" }]);
  expect(await store.prune(rules, now, ["open"])).toEqual({ sessions: 0, events: 0, checkpoints: 0 });
});

test("of too many sessions those used longest ago go; pinned ones count, and stay", async () => {
  for (const [days, id] of ["a", "b", "c", "d", "e"].entries()) used(id, days);
  store.changeSession("e", { isPinned: true });
  const rules = { ...never, maxSessions: 3 };
  expect((await store.prune(rules, now, [])).sessions).toBe(2);
  expect(listed()).toEqual(["e", "a", "b"]);
});

test("without limits nothing goes", async () => {
  used("a", 900);
  expect(await store.prune(never, now, [])).toEqual({ sessions: 0, events: 0, checkpoints: 0 });
  expect(listed()).toEqual(["a"]);
});

test("what was deleted can be taken back until the next start, and goes with it", async () => {
  for (const id of ["a", "b"]) used(id, 1);
  store.changeSession("a", { deletedAt: now });
  await store.prune(never, now, []);
  expect(store.loadMessages("a")).toHaveLength(3);
  store.close();
  store = openSqliteStore(file, fail);
  store.changeSession("b", { deletedAt: now });
  expect((await store.prune(never, now, [])).sessions).toBe(1);
  expect(store.loadSession("a")).toBeUndefined();
  expect(store.loadSession("a-agent")).toBeUndefined();
  expect(store.loadMessages("b")).toHaveLength(3);
});

test("old events go, but for pinned and open sessions' and the last of each", async () => {
  for (const id of ["a", "pinned", "open"]) used(id, 0);
  store.changeSession("pinned", { isPinned: true });
  const event = (conversationId: string, id: number, daysAgo: number) =>
    store.appendEvent({ conversationId, id, at: now - daysAgo * day, type: "state.changed", state: "idle" });
  for (const id of [1, 2, 3]) for (const session of ["a", "pinned", "open"]) event(session, id, 100);
  for (const session of ["a", "pinned", "open"]) store.lastEventId(session);
  expect((await store.prune({ ...never, eventDays: 90 }, now, ["open"])).events).toBe(2);
  expect(["a", "pinned", "open"].map((id) => store.lastEventId(id))).toEqual([3, 3, 3]);
  expect(rowsOf("events")).toEqual([{ rows: 7 }]);
  event("a", 4, 50);
  store.lastEventId("a");
  expect((await store.prune({ ...never, eventDays: 90 }, now, ["open"])).events).toBe(1);
});

function fail(error: unknown): never {
  throw error;
}
