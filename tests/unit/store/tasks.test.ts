import { expect, test } from "vitest";
import type { StoredToolCall } from "../../../electron/agent/ports/ports.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";

const fail = (error: unknown): never => {
  throw error;
};

function storeWith(...rounds: { id: string; text: string; isError?: boolean; name?: string }[][]) {
  const store = openMemoryStore(fail);
  store.saveConversation({
    id: "c",
    title: "",
    workingFolder: "/",
    model: "m",
    createdAt: 1,
    updatedAt: 1,
  });
  for (const [place, calls] of rounds.entries()) {
    const messageId = `reply-${place}`;
    const stored = calls.map(
      ({ id, text, isError = false, name = "update_tasks" }): StoredToolCall => ({
        toolUseId: id,
        messageId,
        name,
        input: { tasks: [{ text, state: "pending" }] },
        output: "",
        isError,
        durationMs: 0,
        wasTruncated: false,
        originalChars: 0,
      }),
    );
    const uses = stored.map(({ toolUseId, name, input }) => ({
      type: "tool_use" as const,
      id: toolUseId,
      name,
      input,
    }));
    const results = stored.map(({ toolUseId }) => ({
      type: "tool_result" as const,
      tool_use_id: toolUseId,
      content: "",
    }));
    const beside = { source: null, createdAt: place };
    store.appendMessage("c", { id: messageId, role: "assistant", origin: null, content: uses, ...beside });
    // As a run keeps those of several that end first.
    for (const call of stored.slice(0, -1).reverse()) store.saveToolCall("c", call);
    store.appendMessage(
      "c",
      { id: `results-${place}`, role: "user", origin: "tool", content: results, ...beside },
      { calls: stored },
    );
  }
  return store;
}
const textsOf = (store: ReturnType<typeof storeWith>) => store.loadTasks("c").map(({ text }) => text);

test("the last list of the newest reply that has one counts; what failed and other tools' calls do not", () => {
  expect(textsOf(storeWith([{ id: "a", text: "one" }], [{ id: "b", text: "two" }]))).toEqual(["two"]);
  const several = storeWith([
    { id: "a", text: "one" },
    { id: "b", text: "two" },
    { id: "c", text: "three" },
  ]);
  expect(textsOf(several)).toEqual(["three"]);
  const failed = [{ id: "b", text: "two", isError: true }];
  const other = [{ id: "d", text: "four", name: "shell" }];
  expect(textsOf(storeWith([{ id: "a", text: "one" }], failed, other))).toEqual(["one"]);
});

test("there is none in a conversation without such a call, before the first message, and where there is no conversation", () => {
  const store = storeWith([{ id: "a", text: "one", name: "shell" }]);
  expect(store.loadTasks("c")).toEqual([]);
  expect(store.loadTasks("nobody")).toEqual([]);
  const moved = storeWith([{ id: "a", text: "one" }]);
  moved.moveHead("c", null);
  expect(moved.loadTasks("c")).toEqual([]);
});

test("a list that nobody can read is none", () => {
  expect(textsOf(storeWith([{ id: "a", text: "" }]))).toEqual([]);
});
