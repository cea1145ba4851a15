import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { partialDelayMs } from "../../../electron/agent/loop/partial-reply.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { type Message, textOf } from "../../../shared/conversation/messages.ts";
import { FakeClock } from "../../fakes/clock.ts";
import {
  conversationForEachTest,
  eventsOf,
  nextEvent,
  ofType,
  replyIn,
  say,
  typed,
} from "../agent/agent-rig.ts";
import { held, lastOf, reopen, script, shown } from "./session-rig.ts";

const folders: string[] = [];
// Registered first, done last: after the rig that uses them.
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
const setUp = conversationForEachTest();
const newFile = () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-sessions-"));
  folders.push(folder);
  return join(folder, "parley.db");
};
const fail = (error: unknown): never => {
  throw error;
};
/** What is written of replies that are being streamed. */
function partialsOf(store: SessionStore): { count: number; first: Promise<void> } {
  const save = store.savePartial.bind(store);
  let told = () => {};
  const seen = {
    count: 0,
    first: new Promise<void>((resolve) => {
      told = resolve;
    }),
  };
  store.savePartial = (...args) => {
    save(...args);
    seen.count++;
    told();
  };
  return seen;
}
/** Resolves when the text that streams has come so far. */
async function textEnding(conversation: Conversation, end: string): Promise<void> {
  let text = "";
  await nextEvent(conversation, (event) => {
    if (event.type === "text.delta") text += event.text;
    return text.endsWith(end);
  });
}
const lastItem = (conversation: Conversation) => conversation.view().items.at(-1);

describe("prompts that wait", () => {
  test("are kept before they wait, and no longer once their message is", async () => {
    const { conversation, server, store } = await setUp();
    const running = conversation.submit(held("first"));
    const waiting = conversation.submit(typed("second"));
    await server.held("first");
    expect(store.loadInputs(conversation.id).map(({ text }) => text)).toEqual(["second"]);
    server.release("first");
    await eventsOf(running);
    await eventsOf(waiting);
    expect(store.loadInputs(conversation.id)).toEqual([]);
  });

  test("are held after a restart: sent or dropped by the user's word, never by themselves", async () => {
    const { conversation, server, store, rig } = await setUp();
    conversation.submit(held("first"));
    const waiting = ["second", "third"].map((text) => conversation.submit(typed(text)).inputId ?? "");
    await server.held("first");
    const again = await reopen(rig, conversation);
    expect(again.view().queue).toMatchObject([
      { inputId: waiting[0], text: "second", isHeld: true },
      { inputId: waiting[1], text: "third", isHeld: true },
    ]);
    expect(rig.conversations.list().sessions).toMatchObject([{ heldInputs: 2 }]);
    // A prompt of now does not take them along.
    expect(replyIn(await say(again, "Hello"))).toBe("Hello");
    expect(again.view().queue).toHaveLength(2);

    const events = await eventsOf(again.sendInput(waiting[1] ?? ""));
    expect(ofType(events, "input.queued")[0]?.input).toEqual({
      inputId: waiting[1],
      text: "third",
      origin: "typed",
      source: null,
    });
    expect(replyIn(events)).toBe("third");
    expect(() => again.sendInput(waiting[1] ?? "")).toThrow("no longer held");
    expect(again.dropInput(waiting[0] ?? "")).toBe(true);
    expect(again.view().queue).toEqual([]);
    expect(store.loadInputs(conversation.id)).toEqual([]);
    expect(again.history.filter(({ content }) => textOf(content) === "third")).toHaveLength(2);
  });

  test("the user's word into a turn is no more lost by a crash than a prompt", async () => {
    const { conversation, server, store } = await setUp();
    const running = conversation.submit(held("first"));
    await server.held("first");
    const { steeringId } = conversation.steer({ text: "Shorter, please", source: null });
    expect(store.loadInputs(conversation.id)).toMatchObject([
      { inputId: steeringId, text: "Shorter, please" },
    ]);
    server.release("first");
    await eventsOf(running);
    expect(store.loadInputs(conversation.id)).toEqual([]);
    expect(conversation.history.map(({ origin }) => origin)).toEqual(["typed", null, "steering", null]);
  });

  test("a prompt that could not be kept runs by a retry, once", async () => {
    const store = openMemoryStore(fail);
    const { conversation, rig } = await setUp({ store });
    const append = store.appendMessage.bind(store);
    store.appendMessage = () => fail(new Error("The disk is full."));
    const failed = await say(conversation, "Hello");
    expect(ofType(failed, "run.ended")[0]?.stopReason).toBe("error");
    expect(rig.faults.splice(0)).toHaveLength(1);
    store.appendMessage = append;
    expect(replyIn(await eventsOf(conversation.retry()))).toBe("Hello");
    expect(conversation.history.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});

describe("a reply that is being streamed", () => {
  test("is kept a quarter of a second behind the screen, not by the delta, until its message takes its place", async () => {
    const clock = new FakeClock();
    const store = openMemoryStore(fail);
    const saved = partialsOf(store);
    const { conversation, server } = await setUp({ clock, store });
    const streamed = textEnding(conversation, "word-6");
    const submission = conversation.submit(script("text", { words: 8, hold: "half", at: 6 }));
    await clock.sleeping(partialDelayMs);
    await streamed;
    expect(saved.count).toBe(0);
    clock.advance(partialDelayMs);
    await saved.first;
    const partial = store.loadPartial(conversation.id);
    expect(textOf(partial?.content ?? [])).toBe("word-1 word-2 word-3 word-4 word-5 word-6");
    expect(saved.count).toBe(1);
    expect(partial).toMatchObject({ role: "assistant", origin: null, model: "claude-opus-5-5" });
    server.release("half");
    await eventsOf(submission);
    expect(store.loadPartial(conversation.id)).toBeUndefined();
    expect(conversation.history.at(-1)?.id).toBe(partial?.id);
    expect(partialDelayMs).toBeLessThan(250);
  });

  test("comes back after a crash as a reply that was cut short; a retry asks again beside it", async () => {
    const store = openSqliteStore(newFile(), fail);
    const { conversation, rig, server } = await setUp({ store });
    await say(conversation, "Hello");
    await say(conversation, "Tell me more");
    const reply = lastOf(conversation, "assistant");
    const { id } = conversation;
    await rig.conversations.dispose();
    // As a crash leaves it: the prompt is kept, of the reply only a part.
    store.moveHead(id, store.loadMessage(id, reply.id)?.parentId ?? null);
    store.savePartial(id, { ...reply, id: "cut", content: [{ type: "text", text: "Tell" }] });

    const again = rig.conversations.open(id);
    expect(again.history.at(-1)).toMatchObject({ id: "cut", interrupted: true });
    expect(store.loadPartial(id)).toBeUndefined();
    expect(again.view().items.slice(-2)).toMatchObject([
      { kind: "assistant", key: "cut", text: "Tell", interrupted: true },
      { kind: "error", error: { code: "cut_short" }, canRetry: true },
    ]);
    expect(replyIn(await eventsOf(again.retry()))).toBe("Tell me more");
    expect(shown(again.view().items)).toEqual(["Hello", "Hello", "Tell me more", "Tell me more"]);
    expect(lastItem(again)).toMatchObject({ kind: "assistant", branches: { index: 2 } });
    expect(server.violations).toEqual([]);
    await rig.conversations.dispose();
    store.close();
  });

  test("of which nothing came leaves the prompt, which can be asked again", async () => {
    const { conversation, rig, store } = await setUp();
    await say(conversation, "Hello");
    const { id } = conversation;
    await rig.conversations.dispose();
    const prompt = { ...lastOf(conversation, "user"), id: "next" };
    store.appendMessage(id, prompt);
    store.savePartial(id, {
      ...prompt,
      id: "cut",
      role: "assistant",
      content: [{ type: "text", text: " " }],
    });
    const again = rig.conversations.open(id);
    expect(store.loadPartial(id)).toBeUndefined();
    expect(lastItem(again)).toMatchObject({ kind: "error", error: { code: "no_reply" }, canRetry: true });
    expect(replyIn(await eventsOf(again.retry()))).toBe("Hello");
    expect(again.history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  test("that was void is kept no longer", async () => {
    const clock = new FakeClock();
    const store = openMemoryStore(fail);
    const saved = partialsOf(store);
    const { conversation, server } = await setUp({ clock, store, settings: { retryMax: 0 } });
    const submission = conversation.submit(script("cut", { after: 2, hold: "gate", times: -1 }));
    await clock.sleeping(partialDelayMs);
    clock.advance(partialDelayMs);
    await saved.first;
    expect(store.loadPartial(conversation.id)).toBeDefined();
    server.release("gate");
    expect(ofType(await eventsOf(submission), "run.ended")[0]?.stopReason).toBe("error");
    expect(store.loadPartial(conversation.id)).toBeUndefined();
  });
});

describe("opening a long conversation", () => {
  /** Prompts with a call each, in a database of their own. */
  function fill(file: string, turns: number) {
    const store = openSqliteStore(file, fail);
    const id = "long";
    store.saveConversation({
      id,
      title: "Long",
      workingFolder: "/",
      model: "opus",
      createdAt: 1,
      updatedAt: 1,
    });
    const common = { source: null, createdAt: 1 };
    for (let turn = 0; turn < turns; turn++) {
      const use = `toolu_${turn}`;
      const messages: Message[] = [
        {
          ...common,
          id: `p${turn}`,
          role: "user",
          origin: "typed",
          content: [{ type: "text", text: `Ask ${turn}` }],
        },
        {
          ...common,
          id: `c${turn}`,
          role: "assistant",
          origin: null,
          content: [{ type: "tool_use", id: use, name: "current_time", input: {} }],
        },
        {
          ...common,
          id: `t${turn}`,
          role: "user",
          origin: "tool",
          content: [{ type: "tool_result", tool_use_id: use, content: `It is ${turn}.` }],
        },
        {
          ...common,
          id: `r${turn}`,
          role: "assistant",
          origin: null,
          content: [{ type: "text", text: `Told ${turn}` }],
        },
      ];
      for (const message of messages) store.appendMessage(id, message);
    }
    return { store, id };
  }

  test("shows its newest page, and the earlier ones on request: together all of it, each once", async () => {
    const { store, id } = fill(newFile(), 80);
    const { rig } = await setUp({ store });
    const conversation = rig.conversations.open(id);
    let { items, hasEarlier } = conversation.view();
    expect(items.length).toBeLessThan(90);
    const pages = [items];
    while (hasEarlier) {
      const [first] = pages[0] ?? [];
      ({ items, hasEarlier } = conversation.earlier(first?.key ?? ""));
      pages.unshift(items);
    }
    const all = pages.flat();
    expect(all.map(({ key }) => key)).toEqual(
      Array.from({ length: 80 }, (_, turn) => [`p${turn}`, `toolu_${turn}`, `r${turn}`]).flat(),
    );
    for (const item of all) if (item.kind === "tool") expect(item.status).toBe("done");
    expect(pages).toHaveLength(4);
    expect(() => conversation.earlier("nobody")).toThrow("Open the conversation again.");
    await rig.conversations.dispose();
    store.close();
  });

  test("sends the whole path, and what is streamed goes on below the page", async () => {
    const { store, id } = fill(newFile(), 60);
    const { rig, server } = await setUp({
      store,
      settings: { maxConversationMessages: 0, compactionStrategy: "none" },
    });
    const conversation = rig.conversations.open(id);
    await say(conversation, "And now?");
    expect(server.requests[0]?.body.messages).toHaveLength(241);
    expect(shown(conversation.view().items).slice(-2)).toEqual(["And now?", "And now?"]);
    await rig.conversations.dispose();
    store.close();
  });
});

test("a path without any prompt, as an import may have, opens and offers no retry", async () => {
  const { rig, store, server } = await setUp();
  const id = "odd";
  store.saveConversation({
    id,
    title: "Odd",
    workingFolder: rig.folder,
    model: "opus",
    createdAt: 1,
    updatedAt: 1,
  });
  store.appendMessage(id, {
    id: "call",
    role: "assistant",
    origin: null,
    source: null,
    createdAt: 1,
    content: [{ type: "tool_use", id: "toolu_1", name: "current_time", input: {} }],
  });
  const conversation = rig.conversations.open(id);
  expect(conversation.view().items.map(({ kind }) => kind)).toEqual(["tool"]);
  expect(() => conversation.regenerate("call")).toThrow("no prompt");
  expect(conversation.retry().inputId).toBeNull();
  expect(server.violations).toEqual([]);
});
