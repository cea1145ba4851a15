import { describe, expect, test } from "vitest";
import { exportSession, importSession } from "../../../electron/store/exchange/session-exchange.ts";
import { parseSessionFile } from "../../../electron/store/exchange/session-file.ts";
import { effort as effortShape } from "../../../shared/conversation/effort.ts";
import { conversationForEachTest, eventsOf, ofType, typed } from "./agent-rig.ts";

const setUp = conversationForEachTest();
const script = (name: string, args: object = {}) =>
  typed(`Please [[script:${name} ${JSON.stringify(args)}]]`);

/** What a request says of the model and of thinking. */
const asked = ({ body }: { body: Record<string, unknown> }) => ({
  model: body.model,
  thinking: Object(body.thinking).type,
  effort: Object(body.output_config).effort,
});

describe("a conversation's own model and effort", () => {
  test("count from the next run on, also where they are chosen while one goes on", async () => {
    const { conversation, server } = await setUp({ settings: { model: "claude-sonnet-4-6" } });
    const first = conversation.submit(
      script("loop", { rounds: 1, hold: "a", calls: [{ name: "current_time", input: {} }] }),
    );
    await server.requested(1);
    conversation.chooseModel({ model: "claude-opus-4-8", effort: "low" });
    server.release("a");
    await eventsOf(first);
    await eventsOf(conversation.submit(typed("Again")));
    const before = { model: "claude-sonnet-4-6", thinking: undefined, effort: undefined };
    expect(server.requests.map(asked)).toEqual([
      before,
      before,
      { model: "claude-opus-4-8", thinking: "adaptive", effort: "low" },
    ]);
  });

  test("are told to windows, and are null again where they were taken back", async () => {
    const { conversation, rig } = await setUp();
    expect(conversation.modelChoice).toEqual({ model: null, effort: null });
    conversation.chooseModel({ model: "haiku" });
    conversation.chooseModel({ effort: "off" });
    expect(conversation.view()).toMatchObject({ chosenModel: "haiku", chosenEffort: "off" });
    conversation.chooseModel({ model: null, effort: null });
    expect(conversation.view()).toMatchObject({ chosenModel: null, chosenEffort: null });
    expect(ofType(rig.logged, "model.chosen").map(({ model, effort }) => [model, effort])).toEqual([
      ["haiku", null],
      ["haiku", "off"],
      [null, null],
    ]);
  });

  test("are kept with it, and go along with a copy, into a file and out of one", async () => {
    const { conversation, rig } = await setUp();
    conversation.chooseModel({ model: "haiku", effort: "high" });
    await eventsOf(conversation.submit(typed("Hello")));
    const chosen = { chosenModel: "haiku", chosenEffort: "high" };
    expect(rig.store.loadSession(conversation.id)).toMatchObject(chosen);
    expect(rig.store.recentModels(5)).toEqual(["haiku"]);

    await rig.conversations.dispose();
    expect(rig.conversations.open(conversation.id).view()).toMatchObject(chosen);
    expect(rig.conversations.fork(conversation.id).view()).toMatchObject(chosen);
    const file = parseSessionFile(JSON.stringify(await exportSession(rig.store, conversation.id)));
    let count = 0;
    const into = { store: rig.store, newId: () => `copy-${++count}`, now: () => 1 };
    expect(rig.store.loadSession(await importSession(into, file))).toMatchObject(chosen);
  });

  test("a new one begins with the settings'", async () => {
    const { conversation, rig, server } = await setUp({ settings: { model: "sonnet", effort: "low" } });
    conversation.chooseModel({ model: "haiku", effort: "high" });
    const other = rig.conversations.create();
    await eventsOf(other.submit(typed("Hello")));
    expect(server.requests.map(asked)).toEqual([
      { model: "claude-sonnet-5-5", thinking: "adaptive", effort: "low" },
    ]);
  });
});

describe("thinking", () => {
  test("is shown with the reply, the same when it is opened again", async () => {
    const { conversation, rig } = await setUp();
    await eventsOf(conversation.submit(script("thinking", { text: "Done." })));
    const shown = conversation.view().items.find(({ kind }) => kind === "assistant");
    expect(shown).toMatchObject({ text: "Done.", thinking: { isGoingOn: false, ms: expect.any(Number) } });
    await rig.conversations.dispose();
    expect(
      rig.conversations
        .open(conversation.id)
        .view()
        .items.find(({ kind }) => kind === "assistant"),
    ).toEqual(shown);
  });

  test("of a reply that is only calls stands before them", async () => {
    const { conversation } = await setUp();
    await eventsOf(conversation.submit(script("thinking", { calls: [{ name: "current_time", input: {} }] })));
    const { items } = conversation.view();
    expect(items.map(({ kind }) => kind)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(items[1]).toMatchObject({ text: "", thinking: { isGoingOn: false } });
  });

  test.each([
    ["claude-opus-5-5", "claude-haiku-5-5"],
    ["claude-sonnet-4-6", "claude-haiku-4-5"],
    ["claude-haiku-4-5", "claude-sonnet-5-5"],
  ])("goes along when %s becomes %s in mid-conversation, at every effort", async (model, next) => {
    const { conversation } = await setUp({ settings: { model, effort: "high" } });
    for (const effort of effortShape.options) {
      const calls = [{ name: "current_time", input: {} }];
      conversation.chooseModel({ model, effort: "high" });
      await eventsOf(conversation.submit(script("text")));
      conversation.chooseModel({ model: next, effort });
      const events = await eventsOf(conversation.submit(script("loop", { rounds: 1, calls })));
      expect(ofType(events, "run.ended")[0]).toMatchObject({ stopReason: "end_turn" });
    }
  });
});
