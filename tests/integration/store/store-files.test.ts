import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StoreError } from "../../../electron/agent/ports/ports.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { Message } from "../../../shared/conversation/messages.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-store-"));
  file = join(folder, "data", "parley.db");
});
// The thread of a store that was closed may still tidy up beside it.
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 3 }));

const message = (id: string): Message => ({
  id,
  role: "user",
  origin: "typed",
  source: null,
  content: [{ type: "text", text: `This is ${id}. ${"x".repeat(2000)}` }],
  createdAt: 5,
});

/** Makes the file with one conversation, `c`, of `count` messages. */
function fill(count: number): void {
  const store = openSqliteStore(file, fail);
  store.saveConversation({ id: "c", title: "", workingFolder: "/", model: "m", createdAt: 1, updatedAt: 1 });
  for (let place = 1; place <= count; place++) store.appendMessage("c", message(`m${place}`));
  store.close();
}

function errorOf(work: () => unknown): StoreError {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("It went well.");
}

describe("a file that cannot be used", () => {
  test("that is no database is refused in words and left as it is", () => {
    mkdirSync(join(folder, "data"));
    const text = "Once this was a database. ".repeat(500);
    writeFileSync(file, text);
    const error = errorOf(() => openSqliteStore(file, fail));
    expect(error.toUserError()).toEqual({
      code: "store_corrupt",
      message: `${file} is damaged: it cannot be read as Parley's database.`,
      hint: expect.stringContaining("copies what can be read into a new one"),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("whose middle is overwritten says so when it is read, and does not bring the process down", () => {
    fill(200);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 8192, bytes.length - 8192);
    writeFileSync(file, bytes);
    const error = errorOf(() => {
      const store = openSqliteStore(file, fail);
      try {
        store.loadMessages("c");
      } finally {
        store.close();
      }
    });
    expect(error.code).toBe("corrupt");
  });

  test("whose row somebody changed by hand is called damaged, not misread", () => {
    fill(1);
    const database = openDatabase(file);
    database.exec(`UPDATE blocks SET json = '{"type":"text","te'`);
    database.close();
    const store = openSqliteStore(file, fail);
    expect(errorOf(() => store.loadMessages("c")).code).toBe("corrupt");
    store.close();
  });

  // Bug: the level of the settings counted then, which may run more than the one that was chosen.
  test("whose level somebody changed to none runs nothing without asking, nor at all", () => {
    fill(1);
    const database = openDatabase(file);
    database.exec("UPDATE sessions SET permission_mode = 'wor\u00FF'");
    database.close();
    const store = openSqliteStore(file, fail);
    expect(store.loadSession("c")?.permissionMode).toBe("look");
    store.close();
  });

  // Bug: Parley died at every start, without a word, once one byte of a title or of a message was damaged.
  test("with one damaged byte in a text says so, and does not bring the process down", () => {
    const words = [
      "harmless title",
      "harmless prompt",
      "harmless reply",
      "harmless input",
      "harmless output",
    ];
    const more = ["harmless waiting", "harmless line", "harmless partial", "harmless file", "harmless model"];
    const files = [...words, ...more].map((said, place) => {
      const name = join(folder, `${place}`, "parley.db");
      const store = openSqliteStore(name, fail);
      const times = { createdAt: 1, updatedAt: 1 };
      store.saveConversation({ id: "c", title: "harmless title", workingFolder: "/", model: "m", ...times });
      store.changeSession("c", { chosenModel: "harmless model" });
      store.appendMessage("c", { ...message("m1"), content: [{ type: "text", text: "harmless prompt" }] });
      const reply = { ...message("m2"), role: "assistant", origin: null } as const;
      store.appendMessage("c", { ...reply, content: [{ type: "text", text: "harmless reply" }] });
      const call = { toolUseId: "t", messageId: "m2", name: "shell", input: "harmless input" };
      const facts = { output: "harmless output", isError: false, durationMs: 1 };
      store.saveToolCall("c", { ...call, ...facts, wasTruncated: false, originalChars: 1 });
      store.saveInput("c", { inputId: "i", text: "harmless waiting", origin: "typed", source: null });
      store.noteLine("c", { id: "l", who: "me", text: "harmless line", at: 1, endedAt: 2 });
      store.savePartial("c", { ...reply, id: "m3", content: [{ type: "text", text: "harmless partial" }] });
      store.saveDraftFile("f", { from: "pasted", text: "harmless file" });
      const reference = { reference: "attached:f", label: "f", detail: "" };
      store.changeSession("c", { draftAttached: [reference] });
      store.close();
      const bytes = readFileSync(name);
      bytes[bytes.indexOf(said) + 3] = 0xff;
      writeFileSync(name, bytes);
      return name;
    });
    const entry = JSON.stringify(join(import.meta.dirname, "../../../electron/store/sqlite-store.ts"));
    const script = `
      const { openSqliteStore } = await import(${entry});
      for (const file of ${JSON.stringify(files)}) {
        const codes = new Set();
        const s = openSqliteStore(file, () => {});
        for (const read of [
          () => s.listSessions({ limit: 9 }), () => s.loadSession("c"), () => s.findSessions("harm", 9),
          () => s.listConversations(9), () => s.loadConversation("c"), () => s.loadMessages("c"),
          () => s.loadPage("c", { limit: 9 }), () => s.loadTree("c"), () => s.loadMessage("c", "m1"),
          () => s.loadToolCall("c", "t"), () => s.loadInputs("c"), () => s.unaskedLines("c", { maxLines: 9, maxChars: 99 }),
          () => s.meetingLines("c", { limit: 9 }), () => s.loadPartial("c"), () => s.loadDraftFile("f"),
          () => s.recentModels(9),
        ]) {
          try { read(); } catch (error) { codes.add(error.code); }
        }
        await s.search({ words: "harmless", limit: 9 }).catch((error) => codes.add(error.code));
        console.log([...codes].join());
        s.close();
      }`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const cwd = join(import.meta.dirname, "../../..");
    const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd });
    expect({ signal, lines: stdout.split("\n").slice(0, -1) }, stderr).toEqual({
      signal: null,
      // A title with a gap in it is one still, and a model that cannot be read is none.
      lines: [...words, ...more].map((said) => (/title|model/.test(said) ? "" : "corrupt")),
    });
  });

  test("whose folder is a file names it", () => {
    writeFileSync(join(folder, "data"), "in the way");
    const error = errorOf(() => openSqliteStore(file, fail));
    expect(error.code).toBe("cannot_open");
    expect(error.message).toContain(file);
  });

  test("in a folder without the right to write", () => {
    // Root may write anywhere, so somebody without rights asks: the parts are loaded first, then the rights dropped.
    mkdirSync(join(folder, "data"), { mode: 0o555 });
    const script = `
      const { openSqliteStore } = await import(${JSON.stringify(join(import.meta.dirname, "../../../electron/store/sqlite-store.ts"))});
      if (process.getuid() === 0) process.setuid(65534);
      try { openSqliteStore(${JSON.stringify(file)}, () => {}); } catch (error) { console.log(error.code, error.message); }`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const root = join(import.meta.dirname, "../../..");
    spawnSync("chmod", ["0755", folder]);
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: root });
    expect(stdout, stderr).toBe(`read_only ${file} cannot be written.\n`);
  });

  test("that another process writes to just now is waited for, then called locked", () => {
    fill(1);
    const other = openDatabase(file);
    const impatient = openDatabase(file);
    impatient.exec("PRAGMA busy_timeout = 20");
    const error = other.transaction(() => errorOf(() => impatient.exec("DELETE FROM blocks")));
    expect(error.toUserError()).toMatchObject({
      code: "store_locked",
      message: `Another program is using ${file}.`,
    });
    impatient.exec("DELETE FROM blocks");
    impatient.close();
    other.close();
  });

  test("on a full disk keeps what it had and takes up again when there is room", () => {
    const database = openDatabase(file);
    database.exec("CREATE TABLE ballast (bytes BLOB); PRAGMA max_page_count = 60");
    const insert = database.prepare("INSERT INTO ballast VALUES (zeroblob(9000))");
    let kept = 0;
    const error = errorOf(() => {
      for (;;) {
        database.transaction(() => insert.run([]));
        kept++;
      }
    });
    expect(error.code).toBe("full");
    expect(error.message).toBe(`The disk is full: nothing more can be written to ${file}.`);
    database.exec("PRAGMA max_page_count = 1000");
    database.transaction(() => insert.run([]));
    expect(database.prepare("SELECT count(*) AS rows FROM ballast").all([])).toEqual([{ rows: kept + 1 }]);
    database.close();
  });
});

describe("a file of an older version", () => {
  const latest = migrations.length;
  const next = {
    version: latest + 1,
    sql: "ALTER TABLE sessions ADD COLUMN mood INTEGER NOT NULL DEFAULT 0",
  };

  test("is copied, then taken to the new one, with everything in it", () => {
    fill(3);
    openDatabase(file, [...migrations, next]).close();
    const columns = (path: string, steps: typeof migrations) => {
      const database = openDatabase(path, steps);
      const names = database.prepare("SELECT name FROM pragma_table_info('sessions')").all([]);
      const messages = database.prepare("SELECT count(*) AS rows FROM messages").all([]);
      database.close();
      return { names, messages };
    };
    const after = columns(file, [...migrations, next]);
    expect(after.names).toContainEqual({ name: "mood" });
    expect(after.messages).toEqual([{ rows: 3 }]);

    const copy = `${file}.before-v${latest + 1}`;
    const before = columns(copy, migrations);
    expect(before.names).not.toContainEqual({ name: "mood" });
    expect(before.messages).toEqual([{ rows: 3 }]);
    expect(existsSync(`${copy}.unfinished`)).toBe(false);
  });

  test("stays what it was when the step fails, and opens as before", () => {
    fill(2);
    const halfGood = { ...next, sql: `${next.sql}; INSERT INTO nowhere VALUES (1)` };
    expect(errorOf(() => openDatabase(file, [...migrations, halfGood])).message).toContain("nowhere");
    const store = openSqliteStore(file, fail);
    expect(store.loadMessages("c")).toEqual([message("m1"), message("m2")]);
    store.close();

    // The copy made before the step is a whole database, too.
    const backup = openSqliteStore(`${file}.before-v${latest + 1}`, fail);
    expect(backup.loadMessages("c")).toEqual([message("m1"), message("m2")]);
    backup.appendMessage("c", message("m3"));
    backup.close();
  });

  test("is copied only when there is something to do", () => {
    fill(1);
    fill(0);
    expect(existsSync(`${file}.before-v${latest}`)).toBe(false);
  });
});

/** As Parley wrote it when the tables were of version 1: a conversation of two messages and a call. */
const rowsOfVersion1 = `
  INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at, head_message_id)
    VALUES ('old', 'From before', 'opus', '/home/somebody', 1, 3, 'm2'), ('empty', 'Nothing', 'opus', '/', 1, 2, NULL);
  INSERT INTO messages (id, session_id, parent_id, position, role, origin, created_at)
    VALUES ('m1', 'old', NULL, 0, 'user', 'typed', 2);
  INSERT INTO messages (id, session_id, parent_id, position, role, created_at, model, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens) VALUES ('m2', 'old', 'm1', 1, 'assistant', 3, 'opus', 5, 6, 7, 8);
  INSERT INTO blocks VALUES ('m1', 0, 'text', '{"type":"text","text":"Hello"}');
  INSERT INTO tool_calls VALUES ('old', 'toolu_1', 'm2', 'shell', '{}', 'out', 0, 1, 0, 3);
  INSERT INTO events (session_id, event_id, at, type, json) VALUES ('old', 9, 3, 'state.changed', '{}');`;

/** Version 2 has sub-agents' sessions, too. */
const rowsOfVersion2 = `${rowsOfVersion1}
  INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at, head_message_id, parent_session_id)
    VALUES ('agent', 'Below', 'opus', '/', 2, 3, 'm3', 'old');
  INSERT INTO messages (id, session_id, parent_id, position, role, origin, created_at)
    VALUES ('m3', 'agent', NULL, 0, 'user', 'typed', 3);`;

test.each([
  { version: 1, rows: rowsOfVersion1 },
  { version: 2, rows: rowsOfVersion2 },
])(
  "a file of version $version keeps its conversations, which then do all that new ones do",
  async ({ version, rows }) => {
    const old = openDatabase(file, migrations.slice(0, version));
    old.exec(rows);
    old.close();

    const store = openSqliteStore(file, fail);
    expect(store.listSessions({ limit: 9 }).map(({ id }) => id)).toEqual(["old", "empty"]);
    expect(store.loadSession("old")).toMatchObject({ isPinned: false, headMessageId: "m2", heldInputs: 0 });
    expect(store.loadMessages("old").map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(store.loadPage("old", { limit: 1 })).toMatchObject({ messages: [{ id: "m2" }], hasEarlier: true });
    expect(store.loadToolCall("old", "toolu_1")?.output).toBe("out");
    expect(store.lastEventId("old")).toBe(9);
    const agent = { id: "agent", title: "", workingFolder: "/", model: "m", createdAt: 4, updatedAt: 4 };
    store.saveConversation({ ...agent, parentId: "old" });
    store.moveHead("old", "m1");
    store.appendMessage("old", message("m4"));
    expect(store.loadPage("old", { limit: 1 }).branches.get("m4")?.messageIds).toEqual(["m2", "m4"]);
    expect(store.listSessions({ limit: 9 }).map(({ id }) => id)).toEqual(["old", "empty"]);
    const hits = await store.search({ words: "hello", limit: 9 });
    expect(hits.map(({ messageId }) => messageId)).toEqual(["m1"]);
    store.close();
    expect(existsSync(`${file}.before-v${migrations.length}`)).toBe(true);
  },
);

test("a file of a newer version is left alone, and the copy from before it is named", () => {
  fill(1);
  // What an earlier change left behind, and what a still later one did.
  for (const other of [migrations.length, migrations.length + 2])
    writeFileSync(`${file}.before-v${other}`, "");
  openDatabase(file, [
    ...migrations,
    { version: migrations.length + 1, sql: "CREATE TABLE later (id)" },
  ]).close();
  const { size } = statSync(file);
  const error = errorOf(() => openSqliteStore(file, fail));
  expect(error.code).toBe("newer");
  expect(error.message).toContain(
    `tables of version ${migrations.length + 1}; this one knows ${migrations.length}`,
  );
  expect(error.hint).toMatch(/The file was not changed\. A copy from before it, which this one reads: /);
  expect(error.hint.endsWith(`${file}.before-v${migrations.length + 1}`)).toBe(true);
  expect(statSync(file).size).toBe(size);
  openDatabase(`${file}.before-v${migrations.length + 1}`).close();
  rmSync(`${file}.before-v${migrations.length + 1}`);
  rmSync(`${file}.before-v${migrations.length + 2}`);
  expect(errorOf(() => openSqliteStore(file, fail)).hint).toContain("There is no copy from before it.");
});

describe("the log of events", () => {
  test("has all but deltas, and no second copy of messages and outputs", () => {
    const store = openSqliteStore(file, fail);
    const stamp = { conversationId: "c", at: 7 };
    store.appendEvent({ ...stamp, id: 1, type: "message.added", message: message("m1") });
    store.appendEvent({ ...stamp, id: 2, type: "text.delta", messageId: "m2", text: "Hel" });
    store.appendEvent({ ...stamp, id: 3, type: "tool.output", toolUseId: "t", text: "line" });
    store.appendEvent({
      ...stamp,
      id: 4,
      type: "tool.ended",
      toolUseId: "t",
      name: "shell",
      durationMs: 3,
      isError: false,
      output: "line",
    });
    store.appendEvent({ ...stamp, id: 5, type: "state.changed", state: "idle" });
    store.close();

    const database = openDatabase(file);
    const rows = database
      .prepare("SELECT session_id, event_id, at, type, json FROM events ORDER BY seq")
      .all([]);
    database.close();
    expect(rows).toEqual([
      { session_id: "c", event_id: 1, at: 7, type: "message.added", json: '{"messageId":"m1"}' },
      {
        session_id: "c",
        event_id: 4,
        at: 7,
        type: "tool.ended",
        json: '{"toolUseId":"t","name":"shell","durationMs":3,"isError":false}',
      },
      { session_id: "c", event_id: 5, at: 7, type: "state.changed", json: '{"state":"idle"}' },
    ]);
  });
});

function fail(error: unknown): never {
  throw error;
}
