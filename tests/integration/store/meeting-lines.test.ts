import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { messageLostOrDoubled } from "../../../scripts/test/grave.mjs";
import type { SaidLine } from "../../../shared/conversation/messages.ts";

let folder: string;
let file: string;
const stores: SessionStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-meeting-"));
  file = join(folder, "parley.db");
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const all = { maxLines: 1000, maxChars: 100_000 };
const session = { id: "c", title: "", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 };

function open(): SessionStore {
  const store = openSqliteStore(file, fail);
  stores.push(store);
  return store;
}

const note = (store: SessionStore, id: string, at: number, text = id) =>
  store.noteLine("c", { id, who: at % 2 === 0 ? "me" : "them", text, at, endedAt: at + 1 });
const ids = (store: SessionStore, conversationId = "c") =>
  store.unaskedLines(conversationId, all).lines.map(({ id }) => id);
const asking = (id: string, meeting: SaidLine[]) => ({
  id,
  role: "user" as const,
  origin: "typed" as const,
  source: null,
  content: [
    { type: "text" as const, text: "", meeting },
    { type: "text" as const, text: "And?" },
  ],
  createdAt: 100,
});
const line = (id: string): SaidLine => ({ who: "me", text: id, id });

test("every line that was noted is there after kill -9, and none was asked about", async () => {
  const script = join(import.meta.dirname, "../../fixtures/line-writer.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, file, "c"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told += text;
    if (told.split("\n").length > 40) child.kill("SIGKILL");
  });
  await ended;
  const said = told.split("\n").slice(0, -1);
  const store = open();
  expect(ids(store).slice(0, said.length), messageLostOrDoubled).toEqual(said);
  expect(store.loadSession("c")?.updatedAt).toBeGreaterThanOrEqual(said.length);
});

test("a prompt that waits has its lines, gives them back when it is dropped, and hands them to its message", () => {
  const store = open();
  store.saveConversation(session);
  note(store, "a", 1);
  note(store, "b", 2);
  const input = { inputId: "i1", text: "And?", origin: "typed" as const, source: null };
  store.saveInput("c", { ...input, meeting: [line("a"), line("b")] });
  expect(ids(store)).toEqual([]);
  note(store, "c", 3);
  expect(ids(store)).toEqual(["c"]);
  store.deleteInput("i1");
  expect(ids(store)).toEqual(["a", "b", "c"]);
  store.saveInput("c", { ...input, meeting: [line("a")] });
  store.appendMessage("c", asking("m1", [line("a")]), { inputId: "i1" });
  expect(store.loadInputs("c")).toEqual([]);
  expect(ids(store)).toEqual(["b", "c"]);
});

test("what was asked on another branch is not asked on this one", () => {
  const store = open();
  store.saveConversation(session);
  note(store, "a", 1);
  store.appendMessage("c", asking("m1", []));
  store.appendMessage("c", asking("m2", [line("a")]));
  expect(ids(store)).toEqual([]);
  store.moveHead("c", "m1");
  expect(ids(store)).toEqual(["a"]);
  store.moveHead("c", "m2");
  expect(ids(store)).toEqual([]);
});

test("what does not fit is told, and is the older part", () => {
  const store = open();
  store.saveConversation(session);
  for (let at = 1; at <= 10; at++) note(store, `line-${at}`, at, "x".repeat(100));
  const some = store.unaskedLines("c", { maxLines: 1000, maxChars: 350 });
  expect(some.lines.map(({ id }) => id)).toEqual(["line-8", "line-9", "line-10"]);
  expect(some.left).toBe(7);
  expect(store.unaskedLines("c", { maxLines: 2, maxChars: 350 })).toMatchObject({ left: 8 });
  // One that is longer than all that fits goes alone.
  expect(store.unaskedLines("c", { maxLines: 5, maxChars: 1 })).toMatchObject({ left: 9 });
});

test("a copy has the lines up to its end, asked as far as the copied path asked", () => {
  const store = open();
  store.saveConversation(session);
  note(store, "a", 1);
  store.appendMessage("c", asking("m1", [line("a")]));
  note(store, "b", 50);
  note(store, "later", 500);
  let count = 0;
  const newId = () => `copy-${++count}`;
  store.copySession("c", null, { ...session, id: "d" }, newId);
  expect(ids(store, "d")).toEqual(["b", "later"]);
  store.copySession("c", "m1", { ...session, id: "e" }, newId);
  expect(ids(store, "e")).toEqual(["b"]);
  expect(store.countLines("e")).toBe(2);
});

test("a search finds lines, and not those that were taken out", async () => {
  const store = open();
  store.saveConversation(session);
  note(store, "a", 1, "We ship on Friday");
  note(store, "b", 2, "We ship on Friday as well");
  store.deleteLine("c", "b");
  expect(await store.search({ words: "friday", limit: 5 })).toMatchObject([
    { conversationId: "c", messageId: "said-a", kind: "meeting", at: 1 },
  ]);
  expect(await store.search({ words: "ship", limit: 5, conversationId: "c" })).toHaveLength(1);
});

test("lines of an earlier Parley are found again in its events; what was asked about, or an echo, is not asked", async () => {
  const database = openDatabase(file, migrations.slice(0, 6));
  database.exec(
    "INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('c', '', 'm', '/', 1, 1)",
  );
  const insert = database.prepare(
    "INSERT INTO events (session_id, event_id, at, type, json) VALUES (?, ?, ?, ?, ?)",
  );
  let event = 0;
  const heard = (
    at: number,
    utteranceId: string,
    text: string,
    rule: string,
    source: string,
    sessionId = "c",
  ) =>
    insert.run([
      sessionId,
      ++event,
      at,
      "voice.utterance",
      JSON.stringify({ utteranceId, text, rule, source }),
    ]);
  heard(10, "s/1", "We ship on Friday", "noted", "loopback");
  heard(11, "s/2", "We ship on Friday", "noted", "microphone");
  heard(12, "s/2", "We ship on Friday", "echo", "microphone");
  heard(13, "s/3", "Fine", "noted", "microphone");
  heard(14, "s/4", "a prompt", "review", "microphone");
  heard(200, "s/5", "Fine", "noted", "microphone");
  heard(201, "s/6", "I waited", "noted", "microphone");
  heard(202, "s/7", "Elsewhere", "noted", "microphone", "gone");
  insert.run(["c", ++event, 203, "voice.utterance", '{"cut']);
  const asked = JSON.stringify({
    type: "text",
    text: "",
    meeting: [
      { who: "them", text: "We ship on Friday" },
      { who: "me", text: "Fine" },
    ],
  });
  database.exec(`
    INSERT INTO messages (id, session_id, position, role, origin, created_at) VALUES ('m1', 'c', 0, 'user', 'typed', 100);
    UPDATE sessions SET head_message_id = 'm1' WHERE id = 'c'`);
  database
    .prepare("INSERT INTO blocks (message_id, seq, type, json) VALUES ('m1', 0, 'text', ?)")
    .run([asked]);
  database.prepare("INSERT INTO inputs (id, session_id, json) VALUES ('i1', 'c', ?)").run([
    JSON.stringify({
      inputId: "i1",
      text: "And?",
      origin: "typed",
      source: null,
      meeting: [{ who: "me", text: "I waited" }],
    }),
  ]);
  // A damaged row must not keep Parley from starting.
  database.exec(`
    INSERT INTO blocks (message_id, seq, type, json) VALUES ('m1', 1, 'text', '{"meeting":[cut');
    INSERT INTO inputs (id, session_id, json) VALUES ('i0', 'c', '{"cut')`);
  database.close();

  const store = open();
  expect(store.meetingLines("c", { limit: 10 }).map(({ who, text, at }) => [who, text, at])).toEqual([
    ["them", "We ship on Friday", 10],
    ["me", "Fine", 13],
    ["me", "Fine", 200],
    ["me", "I waited", 201],
  ]);
  expect(store.unaskedLines("c", all).lines).toMatchObject([{ text: "Fine", at: 200 }]);
  store.deleteInput("i1");
  expect(store.unaskedLines("c", all).lines).toMatchObject([{ at: 200 }, { at: 201 }]);
  expect(await store.search({ words: "waited", limit: 5 })).toMatchObject([{ kind: "meeting", at: 201 }]);
});

// Bug: the times were those of another time zone than the answers about the meeting, without seconds.
test("the times of an export are those of this computer's clock, to the second, with the zone", async () => {
  vi.stubEnv("TZ", "Asia/Kolkata");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const store = open();
  store.saveConversation({ ...session, title: "Standup", createdAt: Date.UTC(2026, 10, 25, 9, 0, 5) });
  note(store, "a", Date.UTC(2026, 10, 25, 20, 41, 12), "We ship on Friday");
  const files = new SessionFiles({ store, newId: () => "new", now: () => 1 });
  await files.write("c", "md", join(folder, "c.md"));
  const text = readFileSync(join(folder, "c.md"), "utf8");
  expect(text).toContain("2026-11-25 14:30:05 (UTC+05:30) · ");
  expect(text).toContain("- 2026-11-26 02:11:12 **Me:** We ship on Friday");
});

test("exports have the lines: Markdown where they were said, subtitles, and JSON that is read again as it was", async () => {
  const store = open();
  store.saveConversation({ ...session, title: "Standup" });
  note(store, "a", 1, "We ship on *Friday*");
  store.appendMessage("c", asking("m1", [line("a")]));
  note(store, "b", 200, "Or on Monday");
  let count = 0;
  const files = new SessionFiles({ store, newId: () => `new-${++count}`, now: () => 1 });
  await files.write("c", "md", join(folder, "c.md"));
  expect(readFileSync(join(folder, "c.md"), "utf8")).toMatch(
    /## Meeting\n\n- 19(?:70-01-01|69-12-31) \d\d:\d\d:\d\d \*\*Them:\*\* We ship on \\\*Friday\\\*.*## You.*## Meeting\n\n- .*\*\*Me:\*\* Or on Monday/s,
  );
  await files.write("c", "srt", join(folder, "c.srt"));
  expect(readFileSync(join(folder, "c.srt"), "utf8")).toContain("Them: We ship on *Friday*");
  await files.write("c", "json", join(folder, "c.json"));
  const id = await files.read(join(folder, "c.json"), "/");
  expect(store.meetingLines(id, { limit: 9 })).toEqual(store.meetingLines("c", { limit: 9 }));
  expect(ids(store, id)).toEqual(["b"]);
  store.saveConversation({ ...session, id: "silent" });
  await expect(files.write("silent", "srt", join(folder, "d.srt"))).rejects.toThrow(
    "There has been no meeting",
  );
});

function fail(error: unknown): never {
  throw error;
}

test("a conversation has meetings, an hour of silence between them, and each is exported on its own", async () => {
  const store = open();
  store.saveConversation({ ...session, title: "Standup" });
  const hour = 3_600_000;
  note(store, "c", 4 * hour, "Second, begun");
  note(store, "a", 10, "First, begun");
  store.noteLine("c", { id: "b", who: "me", text: "A long one", at: 20, endedAt: hour });
  note(store, "b2", 2 * hour, "Just within the hour");
  note(store, "d", 4 * hour + 5, "Second, ended");
  expect(store.meetings("c")).toEqual([
    { startedAt: 10, endedAt: 2 * hour + 1, lines: 3 },
    { startedAt: 4 * hour, endedAt: 4 * hour + 6, lines: 2 },
  ]);
  expect(store.meetings("other")).toEqual([]);
  const files = new SessionFiles({ store, newId: () => "new", now: () => 1 });
  store.appendMessage("c", { ...asking("m1", [{ ...line("a"), at: 10 }]), createdAt: 5 * hour });
  const written = async (format: "md" | "srt", meeting: number) => {
    await files.write("c", format, join(folder, "one"), { meeting });
    return readFileSync(join(folder, "one"), "utf8");
  };
  const first = await written("md", 10);
  expect(first).toContain("Just within the hour");
  expect(first).toContain("And?");
  expect(first).not.toContain("Second");
  const second = await written("md", 4 * hour);
  expect(second).toContain("Second, ended");
  expect(second).not.toMatch(/First|And\?/);
  expect(await written("srt", 10)).toMatch(/^1\n00:00:00,000.*\n.*First, begun/);
  expect(await written("srt", 4 * hour)).toMatch(/^1\n00:00:00,000.*\n.*Second, begun/);
  store.noteLine("c", { id: "n", who: "note", text: "Typed meanwhile", at: 15, endedAt: 15 });
  expect(await written("md", 10)).toMatch(/First, begun\n- .*\*\*Note:\*\* Typed meanwhile/);
  expect(await written("srt", 10)).not.toContain("Typed");
  await expect(written("md", 11)).rejects.toThrow("no longer there");
  store.noteLine("c", { id: "n2", who: "note", text: "Typed alone", at: 9 * hour, endedAt: 9 * hour });
  await expect(written("srt", 9 * hour)).rejects.toThrow("The meeting has notes only");
});
