import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { ContentBlock, Message } from "../../../shared/conversation/messages.ts";
import { snippetMarks } from "../../../shared/conversation/sessions.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-search-"));
  file = join(folder, "parley.db");
});
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 3 }));

const text = (words: string): ContentBlock[] => [{ type: "text", text: words }];
const prompt = (id: string, words: string, rest: Partial<Message> = {}): Message => ({
  id,
  role: "user",
  origin: "typed",
  source: null,
  content: text(words),
  createdAt: 1000,
  ...rest,
});
const reply = (id: string, words: string) => prompt(id, words, { role: "assistant", origin: null });
const session = (id: string, title = id) => ({
  id,
  title,
  workingFolder: "/",
  model: "m",
  createdAt: 1,
  updatedAt: 1,
});
const call = (messageId: string, toolUseId: string, output: string) => ({
  toolUseId,
  messageId,
  name: "shell",
  input: {},
  output,
  isError: false,
  durationMs: 1,
  wasTruncated: false,
  originalChars: output.length,
});
const marked = (word: string) => snippetMarks.open + word + snippetMarks.close;

describe.each([
  { name: "in a file", open: () => openSqliteStore(file, fail) },
  { name: "in memory", open: () => openMemoryStore(fail) },
])("a search $name", ({ open }) => {
  let store: SessionStore;
  const found = async (words: string, rest: { limit?: number; conversationId?: string } = {}) =>
    (await store.search({ words, limit: 50, ...rest })).map(({ messageId, kind }) => `${messageId} ${kind}`);

  beforeEach(() => {
    store = open();
    store.saveConversation(session("c", "The garden"));
  });
  afterEach(() => store.close());

  test("finds prompts, replies, titles and whole outputs, and says where", async () => {
    store.appendMessage("c", prompt("m1", "Where do the HYACINTHS\ngrow best?", { createdAt: 5 }));
    store.appendMessage("c", reply("m2", "In **full** sun; see café."));
    const long = `${"filler ".repeat(200_000)}needle\0 end`;
    store.saveToolCall("c", call("m2", "t1", long));
    expect(await store.search({ words: "hyacinths", limit: 5 })).toEqual([
      {
        conversationId: "c",
        title: "The garden",
        messageId: "m1",
        kind: "prompt",
        snippet: `Where do the ${marked("HYACINTHS")} grow best?`,
        at: 5,
      },
    ]);
    expect(await found("cafe")).toEqual(["m2 reply"]);
    const [needle] = await store.search({ words: "needle", limit: 5 });
    expect(needle).toMatchObject({ messageId: "m2", kind: "tool output" });
    expect(needle?.snippet).toContain(`filler ${marked("needle")}`);
    expect(needle?.snippet.length).toBeLessThan(300);
    expect(await found("garden")).toEqual(["m2 title"]);
    expect(await found("nowhere")).toEqual([]);
  });

  // Bug: of Chinese, Japanese and Thai, which put no spaces between words, only the beginning of a run was found.
  test.each([
    ["请帮我检查数据库连接的问题", "数据库"],
    ["请帮我检查数据库连接的问题", "题"],
    ["サーバーへの接続が切れました", "接続"],
    ["サーバーへの接続が切れました", "サーバー"],
    ["ข้อความภาษาไทยไม่มีช่องว่าง", "ภาษา"],
    ["ข้อความภาษาไทยไม่มีช่องว่าง", "ข้อความ"],
    ["先运行git然后重启", "git"],
    ["\0 请帮我检查数据库", "检查"],
    ["𠮷野家で食べた", "野家"],
  ])("finds in %s the part %s", async (said, wanted) => {
    store.appendMessage("c", reply("m1", said));
    store.saveToolCall("c", call("m1", "t1", said));
    store.saveConversation(session("d", said));
    store.appendMessage("d", prompt("m2", "other"));
    const hits = await store.search({ words: wanted, limit: 9 });
    expect(hits.map(({ kind }) => kind).sort()).toEqual(["reply", "title", "tool output"]);
    for (const { snippet } of hits) expect(snippet).toContain(marked(wanted));
    expect(await found(`${wanted}犬`)).toEqual([]);
  });

  test("wants every word, phrases whole, and lets a last word be a beginning", async () => {
    store.appendMessage("c", prompt("m1", "blue red green", { createdAt: 1 }));
    store.appendMessage("c", prompt("m2", "red blue bluebell", { createdAt: 2 }));
    expect((await found("blue red")).sort()).toEqual(["m1 prompt", "m2 prompt"]);
    expect(await found('"red blue"')).toEqual(["m2 prompt"]);
    expect(await found("bluebe")).toEqual(["m2 prompt"]);
    expect(await found("blue gre")).toEqual(["m1 prompt"]);
    expect(await found("blueb gr")).toEqual([]);
  });

  test("takes whatever is typed for words, never for a query language", async () => {
    store.appendMessage("c", prompt("m1", 'foo_bar(x) AND "NOT" near-by OR text:word*'));
    for (const words of ["foo_bar(", '"not', "AND OR", "near-by", "text:word", "(x)", "^foo"]) {
      expect([words, await found(words)]).toEqual([words, ["m1 prompt"]]);
    }
    for (const words of ["", "  ", '""', "*", "(", "-", "🎧"]) expect(await found(words)).toEqual([]);
  });

  test("passes over thinking, the model's view of outputs, summaries, sub-agents and deleted sessions", async () => {
    store.appendMessage("c", prompt("m1", "plain"));
    store.appendMessage("c", {
      ...reply("m2", ""),
      content: [{ type: "thinking", thinking: "hiddenword", signature: "" }],
    });
    store.appendMessage("c", {
      ...prompt("m3", ""),
      origin: "tool",
      content: [{ type: "tool_result", tool_use_id: "t", content: "hiddenword" }],
    });
    store.appendMessage("c", { ...prompt("m4", "hiddenword"), origin: "summary" });
    store.saveConversation({ ...session("agent", "hiddenword"), parentId: "c" });
    store.appendMessage("agent", prompt("m5", "hiddenword"));
    store.saveConversation(session("gone", "hiddenword"));
    store.appendMessage("gone", prompt("m6", "hiddenword plain"));
    store.changeSession("gone", { deletedAt: 1 });
    expect(await found("hiddenword")).toEqual([]);
    expect(await found("plain")).toEqual(["m1 prompt"]);
    store.changeSession("gone", { deletedAt: null });
    expect(await found("hiddenword plain")).toEqual(["m6 prompt"]);
  });

  test("keeps to one conversation when asked to, and to the limit", async () => {
    store.saveConversation(session("d"));
    for (let place = 0; place < 10; place++) {
      store.appendMessage(place % 2 ? "c" : "d", prompt(`m${place}`, "tulip", { createdAt: place }));
    }
    expect(await found("tulip", { conversationId: "c" })).toEqual(
      ["m9", "m7", "m5", "m3", "m1"].map((id) => `${id} prompt`),
    );
    expect(await found("tulip", { limit: 3 })).toEqual(["m9 prompt", "m8 prompt", "m7 prompt"]);
    expect(await found("tulip", { conversationId: "nobody" })).toEqual([]);
  });

  test("reads an output that is kept again as it is now, and every branch", async () => {
    store.appendMessage("c", prompt("m1", "one"));
    store.saveToolCall("c", call("m1", "t", "firstoutput"));
    expect(await found("firstoutput")).toHaveLength(1);
    store.saveToolCall("c", call("m1", "t", "secondoutput"));
    expect(await found("firstoutput")).toEqual([]);
    expect(await found("secondoutput")).toHaveLength(1);
    store.moveHead("c", null);
    store.appendMessage("c", prompt("m2", "another beginning"));
    expect(await found("one")).toEqual(["m1 prompt"]);
  });
});

test("a file of before the search was there is read in the background, oldest first", async () => {
  const old = openDatabase(file, migrations.slice(0, 2));
  old.exec(`
    INSERT INTO sessions (id, title, model, working_folder, created_at, updated_at) VALUES ('old', 'T', 'm', '/', 1, 1);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO messages (id, session_id, position, role, origin, created_at)
      SELECT 'm' || (1000 - i), 'old', 0, 'user', 'typed', i FROM n;
    INSERT INTO blocks SELECT id, 0, 'text', json_object('type', 'text', 'text', 'was said before') FROM messages;
    INSERT INTO tool_calls VALUES ('old', 't', 'm999', 'shell', '{}', 'oldoutput', 0, 1, 0, 3);`);
  old.close();
  const store = openSqliteStore(file, fail);
  expect(await store.search({ words: "oldoutput", limit: 5 })).toHaveLength(1);
  // A search reads on for some milliseconds; how many texts that is, the machine decides.
  let hits = await store.search({ words: "said", limit: 600 });
  while (hits.length < 500) {
    const before = hits.length;
    hits = await store.search({ words: "said", limit: 600 });
    expect(hits.length).toBeGreaterThan(before);
  }
  expect(hits).toHaveLength(500);
  expect(hits.map(({ at }) => at)).toEqual(hits.map(({ at }) => at).sort((a, b) => b - a));
  store.close();
});

test("an index that is damaged, missing or of another database is built anew", async () => {
  const fill = (words: string) => {
    const store = openSqliteStore(file, fail);
    store.saveConversation(session("c"));
    store.appendMessage("c", prompt("m1", words));
    return store;
  };
  const index = `${file}.search`;
  const first = fill("crocus");
  expect(await first.search({ words: "crocus", limit: 5 })).toHaveLength(1);
  first.close();

  for (const damage of [
    () => rmSync(index),
    () => writeFileSync(index, "no database at all ".repeat(1000)),
    () => {
      // All but the page that says which tables there are: met by the first search only.
      const bytes = readFileSync(index);
      writeFileSync(index, bytes.fill(0x5a, 4096 * 3));
    },
  ]) {
    for (const suffix of ["-wal", "-shm"]) rmSync(index + suffix, { force: true });
    damage();
    const store = openSqliteStore(file, fail);
    expect(await store.search({ words: "crocus", limit: 5 })).toHaveLength(1);
    store.close();
  }

  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const other = fill("snowdrop");
  expect(await other.search({ words: "crocus", limit: 5 })).toEqual([]);
  expect(await other.search({ words: "snowdrop", limit: 5 })).toHaveLength(1);
  other.close();
});

test("a damaged row keeps nothing else from being found", async () => {
  const store = openSqliteStore(file, fail);
  store.saveConversation(session("c"));
  for (const id of ["m1", "m2", "m3"]) store.appendMessage("c", prompt(id, `${id} iris`));
  const database = openDatabase(file);
  database.exec(`UPDATE blocks SET json = '{"type":"text","te' WHERE message_id = 'm2'`);
  database.close();
  const hits = await store.search({ words: "iris", limit: 5 });
  expect(hits.map(({ messageId }) => messageId)).toEqual(["m3", "m1"]);
  store.close();
});

test("what fails in the thread comes back in words, and the next search starts another", async () => {
  const store = openSqliteStore(file, fail, { threadEntry: join(folder, "nothing.js") });
  const error = expect.objectContaining({ name: "StoreError", code: "failed" });
  await expect(store.search({ words: "x", limit: 1 })).rejects.toEqual(error);
  await expect(store.search({ words: "x", limit: 1 })).rejects.toEqual(error);
  store.close();
  await expect(store.search({ words: "x", limit: 1 })).rejects.toEqual(error);
});

function fail(error: unknown): never {
  throw error;
}
