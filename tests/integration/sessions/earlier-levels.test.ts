import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { createRig, eventsOf, ofType, type Rig, typed } from "../agent/agent-rig.ts";

/** A database that the last version with other levels wrote, opened by this one. */
const dump = join(import.meta.dirname, "../../fixtures/earlier-levels.sql");
const idOf = (place: number) => `01HOLD${String(place).padStart(20, "0")}`;

let base: string;
let file: string;
let store: ReturnType<typeof openSqliteStore>;
let rig: Rig;
const faults: unknown[] = [];

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "parley-earlier-"));
  file = join(base, "parley.db");
  const old = new Libsql(file);
  old.exec(readFileSync(dump, "utf8"));
  old.close();
  await open();
});
afterEach(async () => {
  await rig.close();
  store.close();
  rmSync(base, { recursive: true });
  expect(faults.splice(0)).toEqual([]);
});

const permissions = createPolicy({
  chosenMode: (id) => rig.conversations.get(id)?.permissionMode ?? null,
  settings: () => ({ permissionMode: "ask", permissionRules: [], fence: "on" }),
  fence: () => ({ isThere: true }),
  addRules: () => {},
});

async function open() {
  store = openSqliteStore(file, (error) => faults.push(error));
  rig = await createRig({ store, permissions });
}

const standing = (place: number) => {
  rig.conversations.open(idOf(place));
  return permissions.standingOf(idOf(place));
};
const asks = { level: "ask", chosen: "ask", hasEdits: false, isToConfirm: false };

test("each of its levels means what the documents say, and none is wider than it was", () => {
  expect([0, 1, 2, 3, 4].map(standing)).toEqual([
    { level: "look", chosen: "look", hasEdits: false, isToConfirm: false },
    asks,
    { ...asks, hasEdits: true },
    { ...asks, chosen: "work", hasEdits: true, isToConfirm: true },
    asks,
  ]);
  expect(store.listSessions({ limit: 10 })).toHaveLength(5);
  // The tables were brought up to date, after a copy.
  expect(existsSync(`${file}.before-v${migrations.length}`)).toBe(true);
});

test("a conversation on auto edits unasked as before, asks for commands, and is on the new level once it is chosen", async () => {
  const conversation = rig.conversations.open(idOf(3));
  const write = { name: "write_file", input: { path: "a.txt", content: "a" } };
  const events = await eventsOf(
    conversation.submit(typed(`[[script:tools ${JSON.stringify({ calls: [write] })}]]`)),
  );
  expect(ofType(events, "approval.requested")).toEqual([]);
  expect(existsSync(join(rig.folder, "a.txt"))).toBe(true);

  conversation.changeMode("work");
  expect(standing(3)).toEqual({ level: "work", chosen: "work", hasEdits: true, isToConfirm: false });
  await rig.close();
  store.close();
  await open();
  expect(standing(3)).toEqual({ level: "work", chosen: "work", hasEdits: true, isToConfirm: false });
});
