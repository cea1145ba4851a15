import { describe, expect, test } from "vitest";
import { call } from "../../../../renderer/state/call.ts";
import { Models } from "../../../../renderer/state/models.ts";
import type { UserError } from "../../../../shared/conversation/events.ts";
import { emptyView } from "../../../../shared/conversation/transcript.ts";
import type { ModelState } from "../../../../shared/ipc/model-routes.ts";
import { ScriptedMain, settled } from "./scripted-main.ts";

const view = emptyView("c", "C");
const state: ModelState = {
  provider: "anthropic",
  modelId: "claude-opus-5-5",
  modelName: "Opus 5.5",
  takesImages: true,
  effort: "default",
  efforts: { taken: ["low"], why: "It always thinks." },
  price: null,
  isForNew: true,
};
const list = {
  models: [{ id: "claude-opus-5-5", name: "Opus 5.5", price: null }],
  recent: [],
  problem: null,
};

function setUp() {
  const main = new ScriptedMain();
  const failures: UserError[] = [];
  const models = new Models(
    (route, input) => call(main.bridge, route, input),
    (error) => failures.push(error),
  );
  models.showFor(view);
  return { main, models, failures };
}

describe("who answers in the shown conversation", () => {
  test("is asked where the conversation or its choice is another one, and not with every event", async () => {
    const { main, models } = setUp();
    await main.answer("model.state", state);
    expect(models.state.get()).toEqual(state);
    const later = { ...view, lastEventId: 7 };
    models.showFor(later);
    expect(main.calls).toEqual([]);
    models.showFor({ ...view, chosenModel: "haiku" });
    await main.answer("model.state", { ...state, modelName: "Haiku 5.5" });
    expect(models.state.get()?.modelName).toBe("Haiku 5.5");
  });

  // Bug: names that were wanted before the first conversation was shown were never asked for.
  test("may be wanted before a conversation is shown, and is asked for with the first one", async () => {
    const main = new ScriptedMain();
    const models = new Models(
      (route, input) => call(main.bridge, route, input),
      () => {},
    );
    void models.open();
    expect(main.calls).toEqual([]);
    models.showFor(view);
    await main.answer("model.state", state);
    await main.answer("model.list", list);
    expect(models.list.get()).toEqual(list);
  });

  test("is what was asked last, whichever answer comes first", async () => {
    const { main, models } = setUp();
    models.showFor({ ...view, conversationId: "d" });
    const [first, second] = [main.take("model.state"), main.take("model.state")];
    second.answer({ ok: true, value: { ...state, modelName: "second" } });
    first.answer({ ok: true, value: { ...state, modelName: "first" } });
    await settled();
    expect(models.state.get()?.modelName).toBe("second");
  });

  test("is chosen in main, and a refusal is said", async () => {
    const { main, models, failures } = setUp();
    await main.answer("model.state", state);
    void models.choose({ effort: "low" });
    expect(main.take("model.choose").input).toEqual({ conversationId: "c", effort: "low" });
    void models.keep();
    await main.refuse("model.keep", "Not now.");
    expect(failures.map(({ message }) => message)).toEqual(["Not now."]);
  });
});

describe("the list of models", () => {
  test("is asked for when the menu opens, and given up when it closes before it is there", async () => {
    const { main, models } = setUp();
    await main.answer("model.state", state);
    void models.open();
    models.close();
    main.take("model.stopList");
    await main.answer("model.list", list);
    expect(models.list.get()).toBeNull();

    void models.open();
    await main.answer("model.list", list);
    expect(models.list.get()).toEqual(list);
    models.close();
    expect(main.calls).toEqual([]);
  });

  test("that main does not give is a problem in words", async () => {
    const { main, models } = setUp();
    await main.answer("model.state", state);
    void models.open();
    await main.refuse("model.list", "No.");
    expect(models.list.get()).toMatchObject({ models: [], problem: { message: "No." } });
  });
});
