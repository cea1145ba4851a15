import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openDatabase, openEmptied } from "../../../electron/store/database/open-database.ts";
import { DamagedFile } from "../../../electron/store/rescue/damaged-file.ts";
import type { Mending, MendingNews } from "../../../electron/store/rescue/mender.ts";
import { rootsIn } from "../../../electron/store/rescue/read-tables.ts";
import type { Rescued } from "../../../electron/store/rescue/rescue.ts";
import { rescuedText } from "../../../electron/store/rescue/rescued-text.ts";
import { asideOf, setAside } from "../../../electron/store/rescue/set-aside.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { readIntoIndex } from "../../fixtures/read-into-index.ts";
import { inProfile, prompt, reply } from "./backup/profile.ts";

let folder: string;
let file: string;
const open: SessionStore[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-rescue-"));
  file = join(folder, "parley.db");
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  // The thread of a store that was closed may still tidy up beside it.
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const [conversations, turns] = [30, 6];
const idOf = (place: number) => `c${String(place).padStart(2, "0")}`;
const messageIds = (id: string) =>
  Array.from({ length: 2 * turns }, (_, place) => `${id}-${String(place).padStart(2, "0")}`);
const times = (at: number) => ({ createdAt: at, updatedAt: at });
/** Long enough for several pages of them. */
const title = (id: string) => `Title of ${id}, ${"and more ".repeat(20)}`;
const row = (id: string, at = 1) => ({ id, title: title(id), workingFolder: "/w", model: "m", ...times(at) });

/** Some texts go on on pages of their own, and some calls and prompts wait. */
function fill(): void {
  inProfile(folder, (store) => {
    for (let place = 0; place < conversations; place++) {
      const id = idOf(place);
      store.saveConversation(row(id, place));
      for (const [at, messageId] of messageIds(id).entries()) {
        const text = `Words of ${messageId}. ${"ä".repeat(at === 3 ? 5000 : 120)}`;
        const createdAt = 1000 * (place + 1) + at;
        const write = at % 2 === 0 ? prompt : reply;
        store.appendMessage(id, write(messageId, text, createdAt));
      }
      store.saveInput(id, { inputId: `waits-${id}`, text: "later", origin: "typed", source: null });
      store.noteLine(id, { id: `line-${id}`, who: "me", text: "A line.", at: place, endedAt: place });
    }
  });
  // What the log has would mend what a test damages.
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
}

const pageBytes = 4096;

/** The page with which a table begins, or one of those with its rows. */
function pageOf(table: string, which: "first" | "rows"): number {
  const damaged = new DamagedFile(file);
  try {
    let number = rootsIn(damaged, () => {}).get(table) ?? 0;
    for (;;) {
      const children = damaged.btreePage(number)?.children ?? [];
      const middle = children[Math.floor(children.length / 2)];
      if (which === "first" || middle === undefined) return number;
      number = middle;
    }
  } finally {
    damaged.close();
  }
}

function spoil(page: number, damage: (bytes: Buffer) => void = (bytes) => bytes.fill(0xa5)): void {
  const bytes = readFileSync(file);
  damage(bytes.subarray((page - 1) * pageBytes, page * pageBytes));
  writeFileSync(file, bytes);
}

/** The first page below that of a table is lost: what leads there leads to another one. */
function misleadTo(table: string, other: (children: readonly number[]) => number): void {
  const damaged = new DamagedFile(file);
  const page = pageOf(table, "first");
  const children = damaged.btreePage(page)?.children ?? [];
  damaged.close();
  spoil(page, (bytes) => bytes.writeUInt32BE(other(children), bytes.readUInt16BE(12)));
}

type Ended = Extract<MendingNews, { type: "ended" }>;

/** Opens it as the app does. `ended` resolves when the rescue has. */
function opened(more: Partial<Mending> = {}) {
  const told: MendingNews["type"][] = [];
  let settle = (_: MendingNews) => {};
  const ended = new Promise<Ended>((resolve, reject) => {
    settle = (news) => {
      if (news.type === "ended") resolve(news);
      if (news.type === "failed") reject(news.error);
    };
  });
  const store = openSqliteStore(file, () => {}, {
    mending: {
      workingFolder: () => "/home",
      letGo: async () => {},
      keepOpen() {},
      ...more,
      tell(news) {
        told.push(news.type);
        more.tell?.(news);
        settle(news);
      },
    },
  });
  open.push(store);
  return { store, ended, told };
}
const all = { conversations, messages: conversations * 2 * turns };
const whole = { lostTitles: 0, lostConversations: 0, lostMessages: 0, lostTexts: 0 };
/** "some": at least one. */
type Came = Partial<Record<keyof Rescued, number | "some">>;
const onePage = { ...all, ...whole, lostPages: 1 };

const cases: [name: string, damage: () => void, came: Came][] = [
  ["a page of messages", () => spoil(pageOf("messages", "rows")), onePage],
  ["the first page of messages", () => spoil(pageOf("messages", "first")), onePage],
  ["a page of zeros", () => spoil(pageOf("messages", "rows"), (bytes) => bytes.fill(0)), onePage],
  ["a page of texts", () => spoil(pageOf("blocks", "rows")), { ...onePage, lostTexts: "some" }],
  ["the first page of texts", () => spoil(pageOf("blocks", "first")), { ...onePage, lostTexts: "some" }],
  ["a page of conversations", () => spoil(pageOf("sessions", "rows")), { ...onePage, lostTitles: "some" }],
  ["the first page of conversations", () => spoil(pageOf("sessions", "first")), onePage],
  ["page 1", () => spoil(1), onePage],
  ["page 1, but for its head,", () => spoil(1, (bytes) => bytes.fill(0, 100)), onePage],
  ["an index", () => spoil(pageOf("messages_in_order", "rows")), { ...onePage, lostPages: 0 }],
  ["what leads to a page of texts", () => misleadTo("blocks", ([, next = 0]) => next), onePage],
  ["what leads to a page of messages", () => misleadTo("messages", ([, next = 0]) => next), onePage],
  [
    "what leads to a page of messages, and leads to texts now,",
    () => misleadTo("messages", () => pageOf("blocks", "rows")),
    onePage,
  ],
  [
    "the second half",
    () => truncateSync(file, readFileSync(file).length / 2),
    { conversations: "some", messages: "some", lostPages: "some" },
  ],
  [
    "all of it",
    () => writeFileSync(file, "Once this was a database. ".repeat(500)),
    { ...whole, conversations: 0, messages: 0, lostPages: "some" },
  ],
];

// Bug: with one damaged page nothing could be kept any more, no copy was made, and nothing was taken over.
test.each(cases)(
  "%s is damaged: what can be read is there again, and the file is kept",
  async (_, damage, came) => {
    fill();
    damage();
    const before = readFileSync(file);
    const { store, ended, told } = opened();
    const { copy, rescued } = await ended;
    expect(told).toEqual(["began", "ended"]);
    const counts = new Map<string, number>(Object.entries(rescued));
    for (const [name, count] of Object.entries(came)) {
      if (count === "some") expect(counts.get(name), name).toBeGreaterThan(0);
      else expect(counts.get(name), name).toBe(count);
    }
    expect(readFileSync(copy).equals(before)).toBe(true);
    expect(existsSync(asideOf(file))).toBe(false);
    const listed = store.listSessions({ limit: 99 }).map(({ id }) => id);
    expect(listed).toHaveLength(rescued.conversations);
    let messages = 0;
    for (const id of listed) {
      const path = store.loadMessages(id).map((message) => message.id);
      expect(messageIds(id).filter((one) => path.includes(one))).toEqual(path);
      if (rescued.messages === all.messages) expect(path).toEqual(messageIds(id));
      expect(store.loadPage(id, { limit: 99 }).messages).toHaveLength(path.length);
      messages += path.length;
      store.appendMessage(id, prompt(`${id}-next`, "And now?", Date.now()));
      expect(store.loadMessages(id).at(-1)?.id).toBe(`${id}-next`);
    }
    expect(messages).toBe(rescued.messages);
    // All that a back-up looks at is sound.
    const { conversations: copied } = await store.copyContents(join(folder, "copy.db"), true);
    expect(copied).toBe(rescued.conversations);
  },
);

test("what is damaged in the middle of a run is found when it is met, and the search finds what was saved", async () => {
  fill();
  const { store, ended } = opened();
  // The connection that is open has not read it yet.
  spoil(pageOf("blocks", "rows"));
  for (const id of store.listSessions({ limit: 99 }).map((session) => session.id)) {
    try {
      store.loadMessages(id);
    } catch (error) {
      expect(error).toMatchObject({ code: "corrupt" });
    }
  }
  await ended;
  readIntoIndex(file);
  const hits = await store.search({ words: "Words of c29-11", limit: 5 });
  expect(hits.map(({ messageId }) => messageId)).toContain("c29-11");
});

test("Parley can be worked with meanwhile: what is open goes on after what was there, and waits for it", async () => {
  fill();
  spoil(pageOf("blocks", "first"));
  const id = idOf(7);
  const waiting = { inputId: "waits-c07", text: "later", origin: "typed", source: null } as const;
  let context = Promise.resolve<Message[]>([]);
  const { store, ended } = opened({
    keepOpen() {
      store.saveConversation({ ...row(id), title: "As it is now" });
      store.saveInput(id, waiting);
    },
    tell({ type }) {
      if (type !== "began") return;
      queueMicrotask(() => {
        store.saveConversation(row("new"));
        store.appendMessage("new", prompt("new-1", "Is anybody there?", Date.now()));
        store.noteLine("new", { id: "line", who: "me", text: "A new line.", at: 1, endedAt: 2 });
        store.appendMessage(id, prompt("c07-now", "Going on.", Date.now() + 1), { inputId: waiting.inputId });
        context = store.loadContext(id);
      });
    },
  });
  await ended;
  expect(store.loadMessages("new").map((message) => message.id)).toEqual(["new-1"]);
  expect(store.meetingLines("new", { limit: 9 }).map(({ text }) => text)).toEqual(["A new line."]);
  const path = store.loadMessages(id).map((message) => message.id);
  expect(path).toEqual([...messageIds(id), "c07-now"]);
  expect((await context).map((message) => message.id)).toEqual(path);
  expect(store.loadSession(id)?.title).toBe("As it is now");
  // It was sent: it does not wait again.
  expect(store.loadInputs(id)).toEqual([]);
  expect(store.loadInputs(idOf(8))).toHaveLength(1);
  expect(store.meetingLines(idOf(8), { limit: 9 }).map((line) => line.id)).toEqual(["line-c08"]);
});

test("a rescue that was cut off is begun again at the next start", async () => {
  fill();
  setAside(file);
  openEmptied(file).close();
  const { store, ended } = opened();
  expect((await ended).rescued).toMatchObject(all);
  expect(store.listSessions({ limit: 99 })).toHaveLength(conversations);
});

// Bug: without its high numbers, the new file's lines took the places of those that came after them.
test("a rescue that was cut off before the new file was made loses no line that came meanwhile", async () => {
  fill();
  setAside(file);
  const { store, ended } = opened({
    tell({ type }) {
      if (type !== "began") return;
      queueMicrotask(() => {
        store.saveConversation(row("new"));
        store.noteLine("new", { id: "line", who: "me", text: "A new line.", at: 1, endedAt: 2 });
      });
    },
  });
  await ended;
  const linesOf = (id: string) => store.meetingLines(id, { limit: 9 }).map((line) => line.id);
  expect(linesOf("new")).toEqual(["line"]);
  for (let place = 0; place < conversations; place++) {
    expect(linesOf(idOf(place))).toEqual([`line-${idOf(place)}`]);
  }
});

// Bug: the clean-up removed the large files that belonged to conversations which the next start would have taken over.
test("nothing is cleaned up after a rescue that failed", async () => {
  fill();
  setAside(file);
  const large = join(`${file}.files`, "content");
  mkdirSync(`${file}.files`);
  writeFileSync(large, "a large file");
  utimesSync(large, 1, 1);
  const first = opened({
    workingFolder() {
      throw new Error("no folder");
    },
  });
  await expect(first.ended).rejects.toThrow("no folder");
  const rules = { sessionDays: 0, maxSessions: 0, eventDays: 0, checkpointDays: 0, checkpointMb: 0 };
  await first.store.prune(rules, Date.now(), []);
  expect(existsSync(large)).toBe(true);
  open.splice(0);
  first.store.close();
  const second = opened();
  await second.ended;
  await second.store.prune(rules, Date.now(), []);
  expect(existsSync(large)).toBe(false);
});

test("what was deleted does not come back, and two damaged files are both kept", async () => {
  fill();
  inProfile(folder, (store) => {
    for (let place = 0; place < conversations - 1; place++) store.deleteSession(idOf(place));
  });
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  spoil(1);
  const { store, ended } = opened();
  const first = await ended;
  expect(first.rescued).toMatchObject({ conversations: 1, messages: 2 * turns });
  expect(store.listSessions({ limit: 99 }).map(({ id }) => id)).toEqual([idOf(conversations - 1)]);
  open.splice(0);
  store.close();
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  expect(readFileSync(file).includes("Words of c00-00")).toBe(false);
  spoil(1);
  const second = await opened().ended;
  expect(second.copy).not.toBe(first.copy);
  expect([first.copy, second.copy].map((copy) => existsSync(copy))).toEqual([true, true]);
});

// Bug: the second new file counted from the same number as the first: what was written beside either took one place.
test("after a second rescue, too, what came beside the first one is there", async () => {
  fill();
  for (const round of ["first", "second"]) {
    spoil(1);
    const { store, ended } = opened({
      tell({ type }) {
        if (type !== "began") return;
        queueMicrotask(() => {
          store.saveConversation(row(round));
          store.noteLine(round, { id: "line", who: "me", text: round, at: 1, endedAt: 2 });
          const database = openDatabase(file);
          database.exec(`INSERT INTO checkpoints (id, session_id, kind, part, label, working_folder, created_at)
            VALUES ('${round}', '${round}', 'turn', 'files', '', '/w', 1)`);
          database.close();
        });
      },
    });
    await ended;
    open.splice(0);
    store.close();
    for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  }
  inProfile(folder, (store) => {
    for (const round of ["first", "second"]) {
      expect(store.meetingLines(round, { limit: 9 }).map(({ text }) => text)).toEqual([round]);
    }
  });
  const database = openDatabase(file);
  expect(database.prepare("SELECT id FROM checkpoints ORDER BY seq").all([])).toEqual([
    { id: "first" },
    { id: "second" },
  ]);
  database.close();
});

/** It is cut off after the first message of each of these conversations. */
function beginRescue(...ids: readonly string[]): void {
  setAside(file);
  const database = openEmptied(file);
  database.exec("PRAGMA foreign_keys = OFF");
  const insert = database.prepare(
    "INSERT INTO messages (id, session_id, position, role, origin, created_at) VALUES (?, ?, 0, 'user', 'typed', ?)",
  );
  for (const [place, id] of ids.entries()) insert.run([`${id}-00`, id, 1000 * (place + 1)]);
  database.close();
}

// Bug: only what the new file had so far was taken over then.
test("damage in the middle of a rescue: both files are taken over", async () => {
  fill();
  beginRescue("c00", "c01");
  inProfile(folder, (store) => {
    store.saveConversation(row("new"));
    store.appendMessage("new", prompt("new-1", "Is anybody there?", Date.now()));
    store.noteLine("new", { id: "line", who: "me", text: "A new line.", at: 1, endedAt: 2 });
  });
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  spoil(1);
  const { store, ended } = opened();
  await ended;
  expect(store.listSessions({ limit: 99 })).toHaveLength(conversations + 1);
  for (const id of [idOf(0), idOf(1), idOf(2)]) {
    expect(store.loadMessages(id).map((message) => message.id)).toEqual(messageIds(id));
    expect(store.loadSession(id)?.title).toBe(title(id));
    expect(store.loadInputs(id)).toHaveLength(1);
  }
  expect(store.loadMessages("new").map((message) => message.id)).toEqual(["new-1"]);
  expect(store.meetingLines("new", { limit: 9 })).toHaveLength(1);
});

test("what the search index read before its words came is found after a rescue that was cut off", async () => {
  fill();
  beginRescue("c00");
  readIntoIndex(file);
  const { store, ended } = opened();
  await ended;
  readIntoIndex(file);
  const hits = await store.search({ words: "Words of c00-00", limit: 5 });
  expect(hits.map(({ messageId }) => messageId)).toContain("c00-00");
});

/** As a disk keeps it where SQLite does not wipe what is removed. */
function remove(sql: string): void {
  const database = openDatabase(file);
  database.exec(`PRAGMA secure_delete = OFF; ${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
}

test("a prompt that was sent does not wait again, though its page still has it", async () => {
  fill();
  const json = JSON.stringify({ inputId: "sent", text: "long ".repeat(200), origin: "typed", source: null });
  remove(`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 60)
    INSERT INTO inputs (id, session_id, json) SELECT 'sent-' || n, 'c07', '${json}' FROM counted;
    DELETE FROM inputs WHERE id LIKE 'sent-%'`);
  spoil(pageOf("inputs", "rows"));
  const { store, ended } = opened();
  await ended;
  expect(store.loadInputs(idOf(7)).map(({ text }) => text)).not.toContain("long ".repeat(200));
});

test("what was deleted neither comes back nor counts as lost where nothing tells which pages are free", async () => {
  fill();
  remove("DELETE FROM sessions WHERE id < 'c20'");
  for (const table of ["sessions", "messages", "blocks"]) spoil(pageOf(table, "rows"));
  spoil(1);
  const { store, ended } = opened();
  const { messages, lostMessages } = (await ended).rescued;
  const ids = store.listSessions({ limit: 99 }).map(({ id }) => id);
  expect(ids).toContain("c29");
  expect(ids.filter((id) => id < "c20")).toEqual([]);
  expect(messages + lostMessages).toBeLessThanOrEqual(10 * 2 * turns);
});

test("a row that is not as Parley wrote it is no reason to set the file aside", async () => {
  fill();
  const database = openDatabase(file);
  database.exec(`UPDATE blocks SET json = '{"type":"text","te' WHERE message_id = 'c00-00'`);
  database.close();
  const { store, told } = opened();
  expect(() => store.loadMessages("c00")).toThrow("a part of");
  // The thread does one thing after the other: what was begun before is done.
  await store.search({ words: "Words", limit: 1 });
  expect(told).toEqual([]);
  expect(existsSync(asideOf(file))).toBe(false);
});

// Bug: the empty file was taken for a new one, and its log was removed.
test("all that was in an emptied file is there again where its log has it", async () => {
  const { store: first } = opened();
  for (const id of ["c0", "c1"]) {
    first.saveConversation(row(id));
    first.appendMessage(id, prompt(`${id}-1`, "Is it kept?", 1));
  }
  const log = readFileSync(`${file}-wal`);
  open.splice(0);
  first.close();
  truncateSync(file, 0);
  writeFileSync(`${file}-wal`, log);
  const { store, ended, told } = opened();
  const { copy, rescued } = await ended;
  expect(told).toEqual(["began", "ended"]);
  expect(rescued).toMatchObject({ ...whole, conversations: 2, messages: 2 });
  expect(store.loadMessages("c1").map((message) => message.id)).toEqual(["c1-1"]);
  expect(readFileSync(`${copy}-wal`).equals(log)).toBe(true);
});

// Bug: it was opened without its log.
test("a database whose log alone was set aside yet comes after it", async () => {
  const { store: first } = opened();
  first.saveConversation(row("c0"));
  first.appendMessage("c0", prompt("c0-1", "Is it kept?", 1));
  const [bytes, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  open.splice(0);
  first.close();
  writeFileSync(file, bytes);
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  writeFileSync(`${asideOf(file)}-wal`, log);
  const { store, ended } = opened();
  const { copy, rescued } = await ended;
  expect(rescued).toMatchObject({ ...whole, conversations: 1, messages: 1 });
  expect(store.loadMessages("c0").map((message) => message.id)).toEqual(["c0-1"]);
  expect([readFileSync(copy), readFileSync(`${copy}-wal`)]).toEqual([bytes, log]);
});

test.each(["parley.db.search", "parley.db.before-v9", "parley.db.damaged-2026-01-31", "parley.db.files"])(
  "an emptied file with nothing but %s beside it is set aside, and that is said",
  async (name) => {
    writeFileSync(file, "");
    writeFileSync(join(folder, name), "of an earlier database");
    expect(() => openDatabase(file)).toThrow("is damaged");
    expect(readFileSync(file)).toHaveLength(0);
    const { store, ended } = opened();
    const { copy, rescued } = await ended;
    expect(rescued).toMatchObject({ conversations: 0, messages: 0 });
    expect(existsSync(copy)).toBe(true);
    store.saveConversation(row("new"));
    expect(store.listSessions({ limit: 9 })).toHaveLength(1);
  },
);

test.each([
  ["nothing", ""],
  ["a log in which nothing is", "parley.db-wal"],
  ["another's file", "parley.db.txt"],
  ["the index of another database", "other.db.search"],
])("an empty file with %s beside it is a first start that was cut off", (_, name) => {
  writeFileSync(file, "");
  if (name !== "") writeFileSync(join(folder, name), "x".repeat(32));
  const { store, told } = opened();
  store.saveConversation(row("new"));
  expect(told).toEqual([]);
  expect(store.listSessions({ limit: 9 })).toHaveLength(1);
});

test("a start without a file is a first one, whatever is beside it", () => {
  writeFileSync(`${file}.search`, "of an earlier database");
  const { store, told } = opened();
  store.saveConversation(row("new"));
  expect(told).toEqual([]);
});

test("a file of a newer Parley is left alone, and without the mending a damaged one is refused", () => {
  fill();
  const database = openDatabase(file);
  database.exec("UPDATE schema_version SET version = 999");
  database.close();
  expect(() => opened()).toThrow("newer Parley");
  writeFileSync(file, "no database ".repeat(500));
  expect(() => openSqliteStore(file, () => {})).toThrow("is damaged");
  expect(existsSync(asideOf(file))).toBe(false);
});

test("what a rescue came to is said in numbers", () => {
  expect(rescuedText({ ...all, ...whole, lostPages: 0 })).toBe(
    "Parley's database was damaged. 30 conversations with 360 messages could be read and are in a new database.",
  );
  const lost = { lostTitles: 2, lostConversations: 1, lostMessages: 3, lostTexts: 1, lostPages: 4 };
  expect(rescuedText({ conversations: 1, messages: 1, ...lost })).toBe(
    "Parley's database was damaged. 1 conversation with 1 message could be read and is in a new database. Lost: the titles of 2 conversations, 1 conversation, 3 messages, the text of 1 message, what else was on 4 damaged pages.",
  );
  expect(rescuedText({ conversations: 0, messages: 0, ...whole, lostPages: 1 })).toContain(
    "nothing in it could",
  );
});
