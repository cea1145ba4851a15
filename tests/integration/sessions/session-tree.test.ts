import { describe, expect, test } from "vitest";
import { maxRunsAtOnce } from "../../../electron/agent/conversation/conversations.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { conversationForEachTest, eventsOf, nextEvent, ofType, replyIn, say } from "../agent/agent-rig.ts";
import { held, lastOf, reopen, script, shown } from "./session-rig.ts";

const setUp = conversationForEachTest();

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

  test("another model makes a reply again and answers from then on; each reply says who gave it", async () => {
    const { conversation, server } = await setUp();
    server.offers(["claude-opus-5-5", "claude-haiku-4-5"]);
    await say(conversation, "One");
    await say(conversation, "Two");
    await eventsOf(conversation.regenerate(lastOf(conversation, "assistant").id, "claude-haiku-4-5"));
    const models = () =>
      conversation.view().items.flatMap((item) => (item.kind === "assistant" ? [item.model] : []));
    const [first] = models();
    expect(first).not.toBe("claude-haiku-4-5");
    expect(models()).toEqual([first, "claude-haiku-4-5"]);
    expect(conversation.view().chosenModel).toBe("claude-haiku-4-5");
    expect(conversation.history.map(({ model }) => model).filter(Boolean)).toEqual(models());
    await say(conversation, "Three");
    expect(server.requests.map(({ body }) => body.model)).toEqual([
      first,
      first,
      "claude-haiku-4-5",
      "claude-haiku-4-5",
    ]);
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
    ];
    const whole = { part: "both", overwrite: false } as const;
    const later = [
      () => conversation.changeFolder("/"),
      () => conversation.rewind({ messageId: prompt }, whole),
      () => conversation.redo(),
    ];
    const others = Array.from({ length: maxRunsAtOnce }, (_, place) =>
      conversations.create().submit(held(`busy-${place}`)),
    );
    const submission = conversation.submit(held("gate"));
    for (const move of moves) expect(move).toThrow("Remove them first");
    for (const move of later) await expect(move()).rejects.toThrow("Remove them first");
    for (const place of others.keys()) server.release(`busy-${place}`);
    await server.held("gate");
    for (const move of moves) expect(move).toThrow("Stop it first");
    for (const move of later) await expect(move()).rejects.toThrow("Stop it first");
    server.release("gate");
    await Promise.all([...others, submission].map(eventsOf));
    expect(conversation.history).toHaveLength(4);
    expect(() => conversation.editPrompt(lastOf(conversation, "assistant").id, "No")).toThrow(
      "Only a prompt",
    );
    expect(() => conversation.regenerate("nobody")).toThrow("no message nobody");
  });

  test("a rewind takes the prompt into the draft, says how much left, and deletes nothing", async () => {
    const { conversation, rig } = await setUp();
    for (const text of ["One", "Two", "Three"]) await say(conversation, text);
    const before = conversation.history;
    const target = { messageId: before[2]?.id ?? "" };
    const { prompts } = await conversation.rewind(target, { part: "both", overwrite: false });
    expect(prompts).toBe(2);
    expect(conversation.view()).toMatchObject({ draft: "Two" });
    expect(shown(conversation.view().items)).toEqual(["One", "One"]);
    const again = await reopen(rig, conversation);
    expect(again.view().draft).toBe("Two");
    again.showBranch(before.at(-1)?.id ?? "");
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
