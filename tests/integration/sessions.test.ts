import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../electron/agent/conversation.ts";
import { maxRunsAtOnce } from "../../electron/agent/conversations.ts";
import { partialDelayMs } from "../../electron/agent/partial-reply.ts";
import { MemoryStore } from "../../electron/store/memory-store.ts";
import { openSqliteStore } from "../../electron/store/sqlite-store.ts";
import { type Message, textOf } from "../../shared/messages.ts";
import type { TranscriptItem } from "../../shared/transcript.ts";
import { FakeClock } from "../fakes/clock.ts";
import {
  conversationForEachTest,
  eventsOf,
  nextEvent,
  ofType,
  type Rig,
  replyIn,
  typed,
} from "./agent-rig.ts";

const folders: string[] = [];
// Registered first, done last: after the rig that uses them.
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
const setUp = conversationForEachTest();
/** As a new process does: what is in memory is gone. */
async function reopen(from: Rig, conversation: Conversation): Promise<Conversation> {
  await from.conversations.dispose();
  return from.conversations.open(conversation.id);
}
const newFile = () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-sessions-"));
  folders.push(folder);
  return join(folder, "parley.db");
};
const fail = (error: unknown): never => {
  throw error;
};
/** What is written of replies that are being streamed. */
function partialsOf(store: MemoryStore): { count: number; first: Promise<void> } {
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
const script = (name: string, args: object = {}) => typed(`[[script:${name} ${JSON.stringify(args)}]]`);
const held = (gate: string, words = 2) => script("text", { words, hold: gate, at: 1 });
const say = async (conversation: Conversation, text: string) =>
  await eventsOf(conversation.submit(typed(text)));
const shown = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => (item.kind === "user" || item.kind === "assistant" ? [item.text] : []));
const lastOf = (conversation: Conversation, role: Message["role"]) => {
  const found = conversation.history.findLast((message) => message.role === role);
  if (!found) throw new Error(`There is no message of the ${role}.`);
  return found;
};
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
    expect(() => again.sendInput(waiting[1] ?? "")).toThrow("not held any more");
    expect(again.dropInput(waiting[0] ?? "")).toBe(true);
    expect(again.view().queue).toEqual([]);
    expect(store.loadInputs(conversation.id)).toEqual([]);
    expect(again.history.filter(({ content }) => textOf(content) === "third")).toHaveLength(2);
  });

  test("the user's word into a turn is no more lost by a crash than a prompt", async () => {
    const { conversation, server, store } = await setUp();
    const running = conversation.submit(held("first"));
    await server.held("first");
    const { steeringId } = conversation.steer("Shorter, please");
    expect(store.loadInputs(conversation.id)).toMatchObject([
      { inputId: steeringId, text: "Shorter, please" },
    ]);
    server.release("first");
    await eventsOf(running);
    expect(store.loadInputs(conversation.id)).toEqual([]);
    expect(conversation.history.map(({ origin }) => origin)).toEqual(["typed", null, "steering", null]);
  });

  test("a prompt that could not be kept runs by a retry, once", async () => {
    const store = new MemoryStore();
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
    const store = new MemoryStore();
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
    expect(partial).toMatchObject({ role: "assistant", origin: null, model: "claude-opus-4-6" });
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
    const store = new MemoryStore();
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
    expect(() => conversation.earlier("nobody")).toThrow("not known");
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

describe("the tree", () => {
  test("an edited prompt is a version beside the old one, shown at once; switching brings either back", async () => {
    const { conversation, server } = await setUp();
    await say(conversation, "One");
    await say(conversation, "Two");
    const old = lastOf(conversation, "user");
    const moved = nextEvent(conversation, ({ type }) => type === "head.moved");
    const submission = conversation.editPrompt(old.id, "Zwei");
    expect(await moved).toMatchObject({ reason: "edit" });
    const events = await eventsOf(submission);
    expect(replyIn(events)).toBe("Zwei");
    const edited = lastOf(conversation, "user");
    const versions = [old.id, edited.id];
    expect(ofType(events, "message.added")[0]).toMatchObject({
      branches: { index: 1, messageIds: versions },
    });
    expect(shown(conversation.view().items)).toEqual(["One", "One", "Zwei", "Zwei"]);
    expect(conversation.view().items[2]).toMatchObject({ branches: { index: 1, messageIds: versions } });
    expect(server.requests.at(-1)?.body.messages.map(({ content }) => content[0]?.text)).toEqual([
      "One",
      "One",
      "Zwei",
    ]);

    conversation.showBranch(old.id);
    expect(shown(conversation.view().items)).toEqual(["One", "One", "Two", "Two"]);
    expect(conversation.view().items[2]).toMatchObject({ branches: { index: 0, messageIds: versions } });
    await say(conversation, "Three");
    expect(server.requests.at(-1)?.body.messages).toHaveLength(5);
    conversation.showBranch(edited.id);
    expect(conversation.history.map(({ content }) => textOf(content))).toEqual([
      "One",
      "One",
      "Zwei",
      "Zwei",
    ]);
  });

  test("the very first prompt can be edited, too", async () => {
    const { conversation } = await setUp();
    await say(conversation, "One");
    await eventsOf(conversation.editPrompt(lastOf(conversation, "user").id, "Eins"));
    expect(shown(conversation.view().items)).toEqual(["Eins", "Eins"]);
    expect(conversation.view().items[0]).toMatchObject({ branches: { index: 1 } });
  });

  test("a reply made again stands beside the old one, whichever of its messages was meant; the prompt stands once", async () => {
    const { conversation, server } = await setUp();
    await say(conversation, "Before");
    const calls = [{ name: "current_time", input: {} }];
    await eventsOf(conversation.submit(script("tools", { calls })));
    const old = conversation.history.slice(2);
    const events = await eventsOf(conversation.regenerate(old.at(-1)?.id ?? ""));
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
    const now = conversation.history.slice(2);
    expect(now.map(({ origin }) => origin)).toEqual(old.map(({ origin }) => origin));
    expect(now[0]?.id).toBe(old[0]?.id);
    const versions = [old[1]?.id, now[1]?.id];
    // The reply begins with a call and has no text: it shows all the same, so that the other one can be chosen.
    const at = conversation.view().items.findIndex(({ key }) => key === now[1]?.id);
    expect(conversation.view().items[at]).toMatchObject({ branches: { index: 1, messageIds: versions } });
    expect(server.requests).toHaveLength(5);
    // Both keep the whole output of their call, though the server gave both calls one id.
    const [before, after] = [old, now].map(([, reply]) => reply?.content[0]);
    expect(before).toMatchObject({ type: "tool_use" });
    expect(after).toMatchObject({ type: "tool_use" });
    expect(before).not.toMatchObject({ id: after?.type === "tool_use" ? after.id : "" });
    conversation.showBranch(old[1]?.id ?? "");
    expect(conversation.history.slice(2)).toEqual(old);
  });

  test("refuses to move while a run goes on or prompts wait, and says what to do", async () => {
    const { conversation, server, rig } = await setUp();
    const { conversations } = rig;
    await say(conversation, "One");
    const prompt = lastOf(conversation, "user").id;
    const moves = [
      () => conversation.editPrompt(prompt, "Eins"),
      () => conversation.regenerate(prompt),
      () => conversation.showBranch(prompt),
      () => conversation.rewindTo(prompt),
      () => conversation.moveHeadTo(null),
    ];
    const others = Array.from({ length: maxRunsAtOnce }, (_, place) =>
      conversations.create().submit(held(`busy-${place}`)),
    );
    const submission = conversation.submit(held("gate"));
    for (const move of moves) expect(move).toThrow("stop or drop them first");
    for (const place of others.keys()) server.release(`busy-${place}`);
    await server.held("gate");
    for (const move of moves) expect(move).toThrow("stop it first");
    await expect(conversation.changeFolder("/")).rejects.toThrow("stop it first");
    server.release("gate");
    await Promise.all([...others, submission].map(eventsOf));
    expect(conversation.history).toHaveLength(4);
    expect(() => conversation.editPrompt(lastOf(conversation, "assistant").id, "No")).toThrow(
      "Only a prompt",
    );
    expect(() => conversation.regenerate("nobody")).toThrow("no message nobody");
  });

  test("a rewind takes the prompt into the draft, says how much left, and deletes nothing; its redo brings all back", async () => {
    const { conversation, rig } = await setUp();
    for (const text of ["One", "Two", "Three"]) await say(conversation, text);
    const before = conversation.history;
    expect(conversation.rewindTo(before[2]?.id ?? "")).toEqual({ messages: 4 });
    expect(conversation.view()).toMatchObject({ draft: "Two" });
    expect(shown(conversation.view().items)).toEqual(["One", "One"]);
    const again = await reopen(rig, conversation);
    expect(again.view().draft).toBe("Two");
    again.moveHeadTo(before.at(-1)?.id ?? null);
    expect(again.history).toEqual(before);
  });

  test("what was used on other branches counts after a restart, too", async () => {
    const { conversation, rig } = await setUp();
    await say(conversation, "One");
    await eventsOf(conversation.regenerate(lastOf(conversation, "assistant").id));
    const used = await conversation.used();
    expect(used.tokens).toBe(2 * 39 + 3);
    const again = await reopen(rig, conversation);
    expect(await again.used()).toEqual(used);
    await say(again, "Two");
    expect((await again.used()).tokens).toBe(3 * 39 + 3);
  });
});
