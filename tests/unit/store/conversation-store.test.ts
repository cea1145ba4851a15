import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredConversation, StoredToolCall } from "../../../electron/agent/ports/ports.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import type { ContentBlock, Message } from "../../../shared/conversation/messages.ts";

const conversation = (id: string, updatedAt = 1): StoredConversation => ({
  id,
  title: `About ${id}`,
  workingFolder: "/home/somebody/Parley",
  model: "opus",
  createdAt: 1,
  updatedAt,
});

const said = (id: string, content: ContentBlock[], rest: Partial<Message> = {}): Message => ({
  id,
  role: "user",
  origin: "typed",
  source: null,
  content,
  createdAt: 1000,
  ...rest,
});

const call: StoredToolCall = {
  toolUseId: "toolu_1",
  messageId: "m1",
  name: "shell",
  input: { command: "seq 3", deep: [{ ü: null }] },
  output: "1\n2\n3\n",
  isError: false,
  durationMs: 12.5,
  wasTruncated: true,
  originalChars: 6,
};

/** Whatever a string can hold: NULs, quotes, halves of characters. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);
const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: anyText }),
  fc.record({ type: fc.constant("thinking" as const), thinking: anyText, signature: anyText }),
  fc.record({ type: fc.constant("redacted_thinking" as const), data: anyText }),
  fc.record({
    type: fc.constant("image" as const),
    source: fc.record({
      type: fc.constant("base64" as const),
      media_type: fc.constantFrom("image/png" as const, "image/webp" as const),
      data: fc.base64String(),
    }),
  }),
  fc.record({
    type: fc.constant("tool_use" as const),
    id: fc.string({ minLength: 1 }),
    name: fc.string({ minLength: 1 }),
    input: fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      // As it came over the wire: JSON has no -0.
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
    ),
  }),
  fc.record(
    {
      type: fc.constant("tool_result" as const),
      tool_use_id: fc.string({ minLength: 1 }),
      content: anyText,
      is_error: fc.boolean(),
    },
    { requiredKeys: ["type", "tool_use_id", "content"] },
  ),
);
const count = fc.nat();
const anyMessage: fc.Arbitrary<Omit<Message, "id">> = fc.record(
  {
    role: fc.constantFrom("user" as const, "assistant" as const),
    origin: fc.constantFrom("typed", "voice", "quick", "tool", "steering", "system", "summary", null),
    source: fc.constantFrom("microphone", "loopback", "file", null),
    content: fc.array(anyBlock, { maxLength: 6 }),
    createdAt: fc.nat({ max: 4e12 }),
    model: fc.string(),
    interrupted: fc.constant(true),
    usage: fc.record({
      inputTokens: count,
      outputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
    }),
    latencyMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    covers: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ["role", "origin", "source", "content", "createdAt"] },
);

describe.each([
  { name: "in a file", open: (folder: string) => openSqliteStore(join(folder, "parley.db"), fail) },
  { name: "in memory", open: () => openMemoryStore(fail) },
])("conversations $name", ({ open }) => {
  let folder: string;
  let store: SessionStore;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-store-"));
    store = open(folder);
    store.saveConversation(conversation("c"));
  });
  afterEach(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });

  test("messages of every kind come back as they went in, in their order", () => {
    let run = 0;
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), (parts) => {
        const id = `c-${++run}`;
        store.saveConversation(conversation(id));
        const messages = parts.map((part, index): Message => ({ id: `${id}-${index}`, ...part }));
        for (const message of messages) store.appendMessage(id, message);
        expect(store.loadMessages(id)).toEqual(messages);
      }),
      { numRuns: 60 },
    );
  });

  test("messages keep the order of their arrival, whatever their times and ids say", () => {
    for (const [place, id] of ["z", "a", "m"].entries()) {
      store.appendMessage("c", said(id, [{ type: "text", text: id }], { createdAt: 100 - place }));
    }
    expect(store.loadMessages("c").map(({ id }) => id)).toEqual(["z", "a", "m"]);
  });

  test("conversations that grow side by side keep to themselves", () => {
    store.saveConversation(conversation("d"));
    for (let place = 0; place < 6; place++) {
      store.appendMessage(place % 2 === 0 ? "c" : "d", said(`m${place}`, []));
    }
    expect(store.loadMessages("c").map(({ id }) => id)).toEqual(["m0", "m2", "m4"]);
    expect(store.loadMessages("d").map(({ id }) => id)).toEqual(["m1", "m3", "m5"]);
  });

  test("an unknown conversation has no messages and takes none", () => {
    expect(store.loadMessages("nobody")).toEqual([]);
    expect(() => store.appendMessage("nobody", said("m1", []))).toThrow("There is no conversation nobody");
    expect(store.loadMessages("nobody")).toEqual([]);
  });

  test("a message that is kept already is refused, and the first one stays as it is", () => {
    store.appendMessage("c", said("m1", [{ type: "text", text: "first" }]));
    expect(() => store.appendMessage("c", said("m1", [{ type: "text", text: "second" }]))).toThrow(
      expect.objectContaining({ name: "StoreError", code: "invalid" }),
    );
    expect(store.loadMessages("c")).toEqual([said("m1", [{ type: "text", text: "first" }])]);
  });

  test("what the caller does to a message afterwards does not change what is kept", () => {
    const message = said("m1", [{ type: "text", text: "as it was" }]);
    store.appendMessage("c", message);
    message.content.push({ type: "text", text: "later" });
    expect(store.loadMessages("c")[0]?.content).toHaveLength(1);
  });

  test("conversations are listed by their last change, newest first", () => {
    store.saveConversation(conversation("d", 5));
    store.saveConversation(conversation("e", 3));
    store.appendMessage("c", said("m1", [], { createdAt: 4 }));
    expect(store.listConversations(2).map(({ id }) => id)).toEqual(["d", "c"]);
    store.saveConversation({ ...conversation("e", 9), title: "Renamed", createdAt: 77 });
    expect(store.listConversations(1)).toEqual([{ ...conversation("e", 9), title: "Renamed" }]);
  });

  test("what is a step within a turn leaves a conversation at its place in the list, what ends it does not", () => {
    const call: ContentBlock = { type: "tool_use", id: "t", name: "clock", input: {} };
    const result: ContentBlock = { type: "tool_result", tool_use_id: "t", content: "noon" };
    const reply = { role: "assistant" as const, origin: null };
    const placeAfter = (message: Message) => {
      store.appendMessage("c", message);
      return store.loadConversation("c")?.updatedAt;
    };
    expect(placeAfter(said("m1", [], { createdAt: 10 }))).toBe(10);
    expect(placeAfter(said("m2", [call], { ...reply, createdAt: 20 }))).toBe(10);
    expect(placeAfter(said("m3", [result], { origin: "tool", createdAt: 30 }))).toBe(10);
    expect(placeAfter(said("m4", [], { ...reply, createdAt: 40 }))).toBe(40);
  });

  test("a conversation is found by its id, as it was last saved", () => {
    store.saveConversation({ ...conversation("d", 9), title: "Renamed" });
    expect(store.loadConversation("d")).toEqual({ ...conversation("d", 9), title: "Renamed" });
    store.appendMessage("d", said("m1", [], { createdAt: 12 }));
    expect(store.loadConversation("d")?.updatedAt).toBe(12);
    expect(store.loadConversation("nobody")).toBeUndefined();
  });

  test("a sub-agent's conversation has its parent, keeps it, and is not in the list", () => {
    store.saveConversation({ ...conversation("agent", 9), parentId: "c" });
    store.appendMessage("agent", said("m1", []));
    expect(store.listConversations(9).map(({ id }) => id)).toEqual(["c"]);
    expect(store.loadConversation("agent")?.parentId).toBe("c");
    store.saveConversation({ ...conversation("agent", 12), title: "Renamed" });
    expect(store.loadConversation("agent")).toEqual({
      ...conversation("agent", 12),
      title: "Renamed",
      parentId: "c",
    });
    expect(store.loadConversation("c")).not.toHaveProperty("parentId");
    expect(() => store.saveConversation({ ...conversation("orphan"), parentId: "nobody" })).toThrow(
      expect.objectContaining({ code: "invalid" }),
    );
    expect(store.loadConversation("orphan")).toBeUndefined();
  });

  test("what a conversation and its sub-agents used, at any depth and on any branch, is told oldest first, and of no other", () => {
    const used = (id: string, inputTokens: number, createdAt: number) =>
      said(id, [], {
        role: "assistant",
        origin: null,
        createdAt,
        model: "haiku",
        usage: { inputTokens, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
      });
    store.saveConversation(conversation("d"));
    store.saveConversation({ ...conversation("agent"), parentId: "c" });
    store.saveConversation({ ...conversation("below"), parentId: "agent" });
    store.saveConversation({ ...conversation("other"), parentId: "d" });
    store.appendMessage("c", used("m1", 10, 1));
    store.moveHead("c", null);
    store.appendMessage("c", used("m6", 60, 6));
    store.appendMessage("agent", said("m2", [], { createdAt: 2 }));
    store.appendMessage("agent", used("m3", 30, 5));
    store.appendMessage("below", used("m4", 20, 4));
    store.appendMessage("other", used("m5", 40, 3));
    expect(store.usageOf("c").map(({ usage, createdAt }) => [usage.inputTokens, createdAt])).toEqual([
      [10, 1],
      [20, 4],
      [30, 5],
      [60, 6],
    ]);
    expect(store.usageOf("below").map(({ createdAt }) => createdAt)).toEqual([4]);
    expect(store.usageOf("nobody")).toEqual([]);
    expect(store.usageOf("d")).toEqual([
      {
        usage: { inputTokens: 40, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
        model: "haiku",
        createdAt: 3,
      },
    ]);
  });

  test("a conversation's events go on from the last one logged", () => {
    const stamp = { at: 1, type: "state.changed", state: "idle" } as const;
    expect(store.lastEventId("c")).toBe(0);
    store.appendEvent({ ...stamp, id: 1, conversationId: "c" });
    store.appendEvent({ ...stamp, id: 41, conversationId: "c" });
    store.appendEvent({ ...stamp, id: 7, conversationId: "d" });
    expect(store.lastEventId("c")).toBe(41);
  });

  test("a conversation saved again keeps its messages", () => {
    store.appendMessage("c", said("m1", []));
    store.saveConversation(conversation("c", 9));
    expect(store.loadMessages("c")).toHaveLength(1);
  });

  test("a tool call comes back whole", () => {
    store.appendMessage("c", said("m1", []));
    store.appendMessage("c", said("m2", []), { calls: [call] });
    expect(store.loadToolCall("c", "toolu_1")).toEqual(call);
    expect(store.loadToolCall("c", "toolu_2")).toBeUndefined();
    store.saveConversation(conversation("d"));
    expect(store.loadToolCall("d", "toolu_1")).toBeUndefined();
  });

  test("an output of many megabytes, NULs and all, is kept to the last character", () => {
    store.appendMessage("c", said("m1", []));
    const outputs = ["line ü 🎧\n".repeat(200_000), `a\0b${"x".repeat(1_000_000)}\0end`, ""];
    for (const [place, output] of outputs.entries()) {
      const kept = { ...call, output, originalChars: output.length };
      store.appendMessage("c", said(`results${place}`, []), { calls: [kept] });
      expect(store.loadToolCall("c", "toolu_1")?.output === output).toBe(true);
    }
  });

  test("a round's results and calls are kept together or not at all", () => {
    store.appendMessage("c", said("m1", []));
    const orphan = { ...call, toolUseId: "toolu_2", messageId: "nobody" };
    const refused = expect.objectContaining({ code: "invalid" });
    expect(() => store.appendMessage("c", said("m2", []), { calls: [call, orphan] })).toThrow(refused);
    expect(() => store.appendMessage("c", said("m1", []), { calls: [call] })).toThrow(refused);
    expect(store.loadToolCall("c", "toolu_1")).toBeUndefined();
    expect(store.loadMessages("c").map(({ id }) => id)).toEqual(["m1"]);
  });
});

function fail(error: unknown): never {
  throw error;
}
