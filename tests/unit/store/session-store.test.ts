import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readContext } from "../../../electron/agent/conversation/sessions/open-session.ts";
import type { StoredConversation } from "../../../electron/agent/ports/ports.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { contextOf, isOfUser } from "../../../electron/store/messages/context-path.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { defaultSettings } from "../../../shared/settings.ts";

const conversation = (id: string, rest: Partial<StoredConversation> = {}): StoredConversation => ({
  id,
  title: `About ${id}`,
  workingFolder: "/home/somebody/Parley",
  model: "opus",
  createdAt: 1,
  updatedAt: 1,
  ...rest,
});

const prompt = (id: string, rest: Partial<Message> = {}): Message => ({
  id,
  role: "user",
  origin: "typed",
  source: null,
  content: [{ type: "text", text: `Says ${id}` }],
  createdAt: 1000,
  ...rest,
});
const reply = (id: string, rest: Partial<Message> = {}) =>
  prompt(id, { role: "assistant", origin: null, ...rest });
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);
const invalid = expect.objectContaining({ name: "StoreError", code: "invalid" });

describe.each([
  { name: "in a file", open: (folder: string) => openSqliteStore(join(folder, "parley.db"), fail) },
  { name: "in memory", open: () => openMemoryStore(fail) },
])("sessions $name", ({ open }) => {
  let folder: string;
  let store: SessionStore;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-store-"));
    store = open(folder);
    store.saveConversation(conversation("c"));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    store.close();
    rmSync(folder, { recursive: true });
  });

  const append = (...messages: Message[]) => {
    for (const message of messages) store.appendMessage("c", message);
  };
  /** `a` to `f` in a row; and two more ways on from `b`, the second of which is the path. */
  const grow = () => {
    append(prompt("a"), reply("b"), prompt("c1"), reply("d1"), prompt("e1"), reply("f1"));
    store.moveHead("c", "b");
    append(prompt("c2", { createdAt: 2000 }), reply("d2", { createdAt: 2001 }));
    store.moveHead("c", "b");
    append(prompt("c3", { createdAt: 3000 }));
  };

  describe("as a list", () => {
    test("a new one is neither pinned, grouped, archived nor deleted", () => {
      expect(store.loadSession("c")).toEqual({
        ...conversation("c"),
        isPinned: false,
        group: null,
        draft: "",
        draftAttached: [],
        archivedAt: null,
        deletedAt: null,
        headMessageId: null,
        hasOwnTitle: false,
        heldInputs: 0,
        permissionMode: null,
        chosenModel: null,
        chosenEffort: null,
        forkedFrom: null,
        kind: null,
      });
      expect(store.loadSession("nobody")).toBeUndefined();
    });

    test("what is changed stays changed, is no use of it, and outlives saving it again", () => {
      const changes = {
        title: "Mine",
        hasOwnTitle: true,
        isPinned: true,
        group: "Work",
        draft: "half a\0 thought 🎧",
        draftAttached: [{ reference: "@s:note://1", label: 'a "note" 🎧', detail: "" }],
        archivedAt: 7,
        workingFolder: "/elsewhere",
        model: "haiku",
        permissionMode: "accept-edits" as const,
      };
      store.changeSession("c", changes);
      expect(store.loadSession("c")).toMatchObject({ ...changes, updatedAt: 1 });
      store.saveConversation(conversation("c", { updatedAt: 5 }));
      expect(store.loadSession("c")).toMatchObject({ isPinned: true, group: "Work", updatedAt: 5 });
      store.changeSession("c", { group: null, archivedAt: null });
      expect(store.loadSession("c")).toMatchObject({ group: null, archivedAt: null, isPinned: true });
      store.changeSession("c", {});
      expect(() => store.changeSession("nobody", { title: "x" })).toThrow(invalid);
    });

    test("pinned ones come first, then the last used; page by page each is there once", () => {
      for (const [place, id] of ["d", "e", "f", "g", "h"].entries()) {
        // Some share a time: the id then decides.
        store.saveConversation(conversation(id, { updatedAt: 10 + Math.floor(place / 2) }));
      }
      store.changeSession("d", { isPinned: true });
      const all = ids(store.listSessions({ limit: 100 }));
      expect(all).toEqual(["d", "h", "g", "f", "e", "c"]);
      const paged: string[] = [];
      for (let after: Parameters<SessionStore["listSessions"]>[0]["after"]; ; ) {
        const page = store.listSessions({ limit: 2, after });
        const last = page.at(-1);
        if (!last) break;
        paged.push(...ids(page));
        after = { isPinned: last.isPinned, updatedAt: last.updatedAt, conversationId: last.id };
      }
      expect(paged).toEqual(all);
    });

    test("archived ones are a list of their own; deleted ones and sub-agents' are in none", () => {
      for (const id of ["d", "e"]) store.saveConversation(conversation(id));
      store.saveConversation(conversation("agent", { parentId: "c" }));
      store.changeSession("d", { archivedAt: 5 });
      store.changeSession("e", { deletedAt: 5 });
      expect(ids(store.listSessions({ limit: 9 }))).toEqual(["c"]);
      expect(ids(store.listSessions({ limit: 9, isArchived: true }))).toEqual(["d"]);
      expect(ids(store.listConversations(9))).toEqual(["d", "c"]);
      store.changeSession("e", { deletedAt: null });
      expect(ids(store.listSessions({ limit: 9 }))).toEqual(["e", "c"]);
    });

    test("one is meant by its id, a beginning or the end of it, or its title, the best kind of match alone", () => {
      store.saveConversation(conversation("01ABCDEF77", { title: "Über Tests" }));
      store.saveConversation(conversation("01ABXYZ999", { title: "More about über tests" }));
      store.saveConversation(conversation("01QQQQQQQ1", { title: "01abcdef77", updatedAt: 3 }));
      store.saveConversation(conversation("gone", { title: "Gone" }));
      store.changeSession("gone", { deletedAt: 1 });
      const found = (reference: string, limit = 9) => ids(store.findSessions(reference, limit));
      expect(found("01abcdef77")).toEqual(["01ABCDEF77"]);
      expect(found("01abx")).toEqual(["01ABXYZ999"]);
      expect(found("z999")).toEqual(["01ABXYZ999"]);
      expect(found("01AB")).toEqual(["01ABXYZ999", "01ABCDEF77"]);
      expect(found("01AB", 1)).toEqual(["01ABXYZ999"]);
      expect(found("ÜBER TESTS")).toEqual(["01ABCDEF77"]);
      expect(found("about üb")).toEqual(["01ABXYZ999"]);
      expect(found("gone")).toEqual([]);
      expect(found("  ")).toEqual([]);
    });

    test("one that is deleted for good takes everything along, its sub-agents too, and can be made again", () => {
      append(prompt("m1"), reply("m2"));
      store.saveConversation(conversation("agent", { parentId: "c" }));
      store.appendMessage("agent", prompt("m3"));
      store.saveInput("c", { inputId: "i1", text: "later", origin: "typed", source: null });
      store.savePartial("c", reply("m4"));
      store.appendEvent({ id: 5, conversationId: "c", at: 1, type: "state.changed", state: "idle" });
      store.lastEventId("c");
      store.deleteSession("c");
      store.deleteSession("nobody");
      expect(store.loadSession("c")).toBeUndefined();
      expect(store.loadSession("agent")).toBeUndefined();
      store.saveConversation(conversation("c"));
      expect(store.loadMessages("c")).toEqual([]);
      expect(store.loadInputs("c")).toEqual([]);
      expect(store.loadPartial("c")).toBeUndefined();
      expect(store.lastEventId("c")).toBe(0);
      append(prompt("m1"));
    });
  });

  describe("as a tree", () => {
    test("the next message goes where the head was moved to, and what was there before stays", () => {
      grow();
      expect(ids(store.loadMessages("c"))).toEqual(["a", "b", "c3"]);
      expect(store.loadSession("c")?.headMessageId).toBe("c3");
      store.moveHead("c", "f1");
      expect(ids(store.loadMessages("c"))).toEqual(["a", "b", "c1", "d1", "e1", "f1"]);
      store.moveHead("c", null);
      expect(store.loadMessages("c")).toEqual([]);
      append(prompt("again"));
      expect(ids(store.loadMessages("c"))).toEqual(["again"]);
      expect(store.loadMessage("c", "again")?.parentId).toBeNull();
    });

    test("moving the head is no use of the session, and goes to its own messages only", () => {
      append(prompt("a", { createdAt: 5 }), reply("b", { createdAt: 6 }));
      store.saveConversation(conversation("d"));
      store.moveHead("c", "a");
      expect(store.loadSession("c")?.updatedAt).toBe(6);
      expect(() => store.moveHead("d", "a")).toThrow(invalid);
      expect(() => store.moveHead("nobody", null)).toThrow(invalid);
    });

    test("a page is the end of the path or what stands before a message, with the versions of each place", () => {
      grow();
      const whole = store.loadPage("c", { limit: 10 });
      expect(ids(whole.messages)).toEqual(["a", "b", "c3"]);
      expect(whole.hasEarlier).toBe(false);
      expect([...whole.branches]).toEqual([["c3", { index: 2, messageIds: ["c1", "c2", "c3"] }]]);

      store.moveHead("c", "f1");
      const last = store.loadPage("c", { limit: 2 });
      expect([ids(last.messages), last.hasEarlier, last.branches.size]).toEqual([["e1", "f1"], true, 0]);
      const before = store.loadPage("c", { limit: 3, before: "e1" });
      expect([ids(before.messages), before.hasEarlier]).toEqual([["b", "c1", "d1"], true]);
      expect(before.branches.get("c1")).toEqual({ index: 0, messageIds: ["c1", "c2", "c3"] });
      const first = store.loadPage("c", { limit: 3, before: "b" });
      expect([ids(first.messages), first.hasEarlier]).toEqual([["a"], false]);
      expect(store.loadPage("c", { limit: 3, before: "a" })).toMatchObject({
        messages: [],
        hasEarlier: false,
      });
      expect(store.loadPage("nobody", { limit: 3 })).toMatchObject({ messages: [], hasEarlier: false });
    });

    test("versions of the first prompt are versions of one place", () => {
      append(prompt("a", { createdAt: 1 }));
      store.moveHead("c", null);
      append(prompt("b", { createdAt: 2 }), reply("x", { createdAt: 3 }));
      expect([...store.loadPage("c", { limit: 9 }).branches]).toEqual([
        ["b", { index: 1, messageIds: ["a", "b"] }],
      ]);
    });

    test("switching to a message shows the path below it that was written to last", () => {
      grow();
      expect(store.newestLeaf("c", "a")).toBe("c3");
      expect(store.newestLeaf("c", "c1")).toBe("f1");
      expect(store.newestLeaf("c", "c2")).toBe("d2");
      expect(store.newestLeaf("c", "f1")).toBe("f1");
      expect(() => store.newestLeaf("c", "nobody")).toThrow(invalid);
    });

    test("the prompts from a message to the end; none from one beside the path", () => {
      grow();
      expect(store.promptsFrom("c", "a")).toBe(2);
      expect(store.promptsFrom("c", "b")).toBe(1);
      expect(store.promptsFrom("c", "c3")).toBe(1);
      expect(store.promptsFrom("c", "c1")).toBe(0);
      expect(store.promptsFrom("c", "nobody")).toBe(0);
      // Its speaker went on with it, and the model was told in between.
      const rest = { type: "text", text: "and c4", continues: true } as const;
      append(prompt("c4", { origin: "voice", source: "microphone", content: [rest] }));
      append(prompt("s", { origin: "steering" }), prompt("t", { origin: "tool" }));
      expect(store.promptsFrom("c", "a")).toBe(2);
    });

    test("one message comes back whole, with what it answers", () => {
      grow();
      expect(store.loadMessage("c", "c2")).toEqual({
        message: prompt("c2", { createdAt: 2000 }),
        parentId: "b",
      });
      expect(store.loadMessage("c", "nobody")).toBeUndefined();
      store.saveConversation(conversation("d"));
      expect(store.loadMessage("d", "c2")).toBeUndefined();
    });

    test("the whole of it can be shown: parents and first words, oldest first", () => {
      append(
        prompt("a", { createdAt: 1, content: [{ type: "text", text: `One\n two ${"x".repeat(500)}` }] }),
      );
      append(
        reply("b", { createdAt: 2, content: [{ type: "tool_use", id: "t", name: "shell", input: {} }] }),
      );
      store.moveHead("c", "a");
      append(reply("b2", { createdAt: 3, content: [{ type: "text", text: "half \ud83d" }] }));
      const tree = store.loadTree("c");
      expect(tree.map(({ id, parentId, role }) => [id, parentId, role])).toEqual([
        ["a", null, "user"],
        ["b", "a", "assistant"],
        ["b2", "a", "assistant"],
      ]);
      expect(tree[0]?.text).toMatch(/^One two x{190,}$/);
      expect(tree.map(({ text }) => text).slice(1)).toEqual(["", "half \ud83d"]);
    });
  });

  describe("as the context of a run", () => {
    const summary = (id: string, covers?: string) =>
      prompt(id, { origin: "summary", ...(covers !== undefined && { covers }) });

    test("without a summary it is the whole path", async () => {
      grow();
      expect(ids(await store.loadContext("c"))).toEqual(["a", "b", "c3"]);
      expect(await store.loadContext("nobody")).toEqual([]);
    });

    test("it is the first prompt, the newest summary and what came after what that stands for", async () => {
      append(
        prompt("a"),
        reply("b"),
        prompt("c1"),
        reply("d1"),
        summary("s1", "b"),
        prompt("e1"),
        reply("f1"),
      );
      expect(ids(await store.loadContext("c"))).toEqual(["a", "s1", "c1", "d1", "e1", "f1"]);
      append(summary("s2", "d1"), prompt("g1"));
      expect(ids(await store.loadContext("c"))).toEqual(["a", "s2", "e1", "f1", "g1"]);
      store.moveHead("c", "f1");
      expect(ids(await store.loadContext("c"))).toEqual(["a", "s1", "c1", "d1", "e1", "f1"]);
    });

    test("a summary that does not say what it covers stands for all before it", async () => {
      append(prompt("a"), reply("b"), summary("s"), prompt("c1"));
      expect(ids(await store.loadContext("c"))).toEqual(["a", "s", "c1"]);
    });

    test("of a long path with two first prompts, the one on the path is told", async () => {
      append(prompt("other"));
      store.moveHead("c", null);
      for (let place = 0; place < 700; place++) append(place % 2 ? reply(`m${place}`) : prompt(`m${place}`));
      append(summary("s", "m690"));
      expect(ids(await store.loadContext("c"))).toEqual([
        "m0",
        "s",
        "m691",
        "m692",
        "m693",
        "m694",
        "m695",
        "m696",
        "m697",
        "m698",
        "m699",
      ]);
    });

    test("read piece by piece it is the same as what the whole path says", async () => {
      const kinds = fc.array(
        fc.record({
          kind: fc.constantFrom("prompt", "reply", "reply", "summary"),
          /** Of a summary: how far before it what it covers lies; 0: it does not say. */
          back: fc.nat({ max: 90 }),
        }),
        { maxLength: 110 },
      );
      let count = 0;
      const rule = async (entries: readonly { kind: string; back: number }[], isEdited: boolean) => {
        const session = `p${count++}`;
        store.saveConversation(conversation(session));
        if (isEdited) {
          store.appendMessage(session, prompt(`${session}-before`));
          store.moveHead(session, null);
        }
        for (const [place, { kind, back }] of entries.entries()) {
          const id = `${session}-${place}`;
          const covers = back === 0 || back > place ? undefined : `${session}-${place - back}`;
          const message = kind === "prompt" ? prompt(id) : kind === "reply" ? reply(id) : summary(id, covers);
          store.appendMessage(session, message);
        }
        const path = store.loadMessages(session);
        expect(await store.loadContext(session)).toEqual(contextOf(path, path.find(isOfUser)));
      };
      await fc.assert(fc.asyncProperty(kinds, fc.boolean(), rule), { numRuns: 30 });
    });

    test("others have their turn while a long one is read, and while it is taken in", async () => {
      for (let place = 0; place < 120; place++) append(place % 2 ? reply(`m${place}`) : prompt(`m${place}`));
      // Whatever is done takes longer than a turn may.
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
      const turnsDuring = async (work: () => Promise<unknown>) => {
        let turns = 0;
        let isOver = false;
        const count = () => {
          turns++;
          if (!isOver) setImmediate(count);
        };
        setImmediate(count);
        await work();
        isOver = true;
        return turns;
      };
      const read = await turnsDuring(() => store.loadContext("c"));
      expect(read).toBeGreaterThanOrEqual(4);
      const all = await turnsDuring(() => readContext(store, "c", defaultSettings));
      expect(all - read).toBeGreaterThanOrEqual(100);
    });
  });

  test("a copy has the path up to a message under new ids, calls and summaries included, and the first stays", () => {
    append(
      prompt("a"),
      reply("b"),
      prompt("c1"),
      { ...prompt("s"), origin: "summary", covers: "b" },
      reply("d1"),
    );
    const call = {
      toolUseId: "t",
      messageId: "b",
      name: "shell",
      input: { command: "ls" },
      output: "a\0b",
      isError: false,
      durationMs: 1,
      wasTruncated: false,
      originalChars: 3,
    };
    store.saveToolCall("c", call);
    let made = 0;
    store.copySession("c", "s", conversation("copy", { title: "Copy", updatedAt: 9 }), () => `new-${++made}`);
    const copied = store.loadMessages("copy");
    expect(ids(copied)).toEqual(["new-1", "new-2", "new-3", "new-4"]);
    expect(copied[3]).toEqual({
      ...prompt("new-4"),
      content: prompt("s").content,
      origin: "summary",
      covers: "new-2",
    });
    expect(store.loadToolCall("copy", "t")).toEqual({ ...call, messageId: "new-2" });
    expect(store.loadSession("copy")).toMatchObject({ title: "Copy", updatedAt: 9, headMessageId: "new-4" });
    expect(ids(store.loadMessages("c"))).toEqual(["a", "b", "c1", "s", "d1"]);
    expect(store.loadToolCall("c", "t")).toEqual(call);
    store.appendMessage("copy", reply("on"));
    expect(store.loadMessage("copy", "on")?.parentId).toBe("new-4");

    store.copySession("c", null, conversation("whole"), () => `new-${++made}`);
    expect(store.loadMessages("whole")).toHaveLength(5);
    expect(() => store.copySession("c", "new-1", conversation("bad"), () => "x")).toThrow(invalid);
    expect(store.loadSession("bad")).toBeUndefined();
  });

  test("prompts wait in their order until the message made of one is kept, in the same step", () => {
    const waiting = (inputId: string, text = inputId) => ({
      inputId,
      text,
      origin: "voice" as const,
      source: "microphone" as const,
    });
    for (const id of ["i2", "i1", "i3"]) store.saveInput("c", waiting(id));
    store.saveInput("c", { ...waiting("i2", "corrected \ud800\0"), isHeld: true });
    expect(store.loadInputs("c")).toEqual([
      { ...waiting("i2", "corrected \ud800\0"), isHeld: true },
      waiting("i1"),
      waiting("i3"),
    ]);
    expect(store.loadSession("c")?.heldInputs).toBe(3);
    store.appendMessage("c", prompt("m1"), { inputId: "i1" });
    expect(() => store.appendMessage("c", prompt("m1"), { inputId: "i3" })).toThrow(invalid);
    expect(store.loadInputs("c").map(({ inputId }) => inputId)).toEqual(["i2", "i3"]);
    store.deleteInput("i2");
    store.deleteInput("nobody");
    expect(store.loadInputs("c")).toEqual([waiting("i3")]);
    expect(() => store.saveInput("nobody", waiting("i4"))).toThrow(invalid);
  });

  test("a partial reply is the last one saved until its message is kept or it is dropped; it is no part of the path", () => {
    append(prompt("m1"));
    store.savePartial("c", reply("m2", { content: [{ type: "text", text: "Hel" }] }));
    const longer = reply("m2", { content: [{ type: "text", text: "Hello\0 \ud83d" }], interrupted: true });
    store.savePartial("c", longer);
    expect(store.loadPartial("c")).toEqual(longer);
    expect(ids(store.loadMessages("c"))).toEqual(["m1"]);
    append(reply("m2"));
    expect(store.loadPartial("c")).toBeUndefined();
    store.savePartial("c", reply("m3"));
    append(prompt("m4"));
    expect(store.loadPartial("c")?.id).toBe("m3");
    store.dropPartial("c");
    expect(store.loadPartial("c")).toBeUndefined();
    expect(() => store.savePartial("nobody", reply("m5"))).toThrow(invalid);
  });
});

function fail(error: unknown): never {
  throw error;
}

describe("files beside a draft", () => {
  test("stay while a draft names them, and until the next start", () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-store-"));
    const open = () => openSqliteStore(join(folder, "parley.db"), fail);
    const first = open();
    first.saveConversation(conversation("c"));
    for (const id of ["kept", "left"]) first.saveDraftFile(id, { from: `file ${id}`, text: id });
    first.changeSession("c", { draftAttached: [{ reference: "attached:kept", label: "kept", detail: "" }] });
    expect(first.loadDraftFile("left")?.text).toBe("left");
    first.close();
    const second = open();
    expect(second.loadDraftFile("kept")).toEqual({ from: "file kept", text: "kept" });
    expect(second.loadDraftFile("left")).toBeUndefined();
    second.close();
    rmSync(folder, { recursive: true });
  });
});
