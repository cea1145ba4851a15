import { describe, expect, test } from "vitest";
import {
  effortCommand,
  type ModelCommandOptions,
  modelCommand,
} from "../../../electron/conversation-commands/model-command.ts";
import type { Effort, EffortSupport } from "../../../shared/conversation/effort.ts";
import type { NamedProvider } from "../../../shared/conversation/model-choice.ts";

const all: EffortSupport = { taken: ["off", "low", "medium", "high"], why: null };
const always: EffortSupport = { taken: ["low", "medium", "high"], why: "It always thinks." };

function setUp(
  given: Partial<{
    efforts: EffortSupport;
    effort: Effort;
    ids: string[] | null | Error;
    others: NamedProvider[];
  }> = {},
) {
  const { efforts = all, effort = "default", ids = ["claude-opus-5-5", "claude-haiku-4-5-20251001"] } = given;
  const { others = [] } = given;
  const choices: object[] = [];
  const asked: (string | null)[] = [];
  const options: ModelCommandOptions = {
    now: () => ({
      provider: "anthropic",
      modelId: "claude-opus-5-5",
      label: "claude-opus-5-5",
      effort,
      efforts,
    }),
    choose: (_, changes) => choices.push(changes),
    aliases: (_, provider) =>
      provider === "gemini"
        ? [{ alias: "flash", id: "gemini-3.8-flash" }]
        : [{ alias: "opus", id: "claude-opus-5-5" }],
    list: async (_, provider) => {
      asked.push(provider);
      if (provider === "gemini") return ["gemini-3.8-flash", "gemini-3.8-pro"];
      if (ids instanceof Error) throw ids;
      return ids;
    },
    others: () => others,
  };
  const context = { conversationId: "c" };
  return {
    asked,
    choices,
    model: async (...args: string[]) => await modelCommand(options).run(args, context),
    effort: async (...args: string[]) => await effortCommand(options).run(args, context),
  };
}

describe("/model", () => {
  test("shows who answers, what the aliases are and what the provider offers", async () => {
    const { output } = await setUp().model();
    expect(output).toContain("**claude-opus-5-5** answers");
    expect(output).toContain("`opus` is claude-opus-5-5");
    expect(output).toContain("- claude-haiku-4-5-20251001");
  });

  test.each([
    ["opus", "opus"],
    ["Opus", "opus"],
    ["claude-opus-5-5", "claude-opus-5-5"],
    ["claude-haiku-4-5", "claude-haiku-4-5"],
    ["gemini:gemini-3.8-pro", "gemini:gemini-3.8-pro"],
    ["gemini:Flash", "gemini:flash"],
  ])("takes %s as %s", async (typed, model) => {
    const { choices, model: run } = setUp({ others: ["gemini"] });
    expect((await run(typed)).isError).toBeUndefined();
    expect(choices).toEqual([{ model }]);
  });

  test("names others that there is a key for", async () => {
    const { output } = await setUp({ others: ["gemini", "local"] }).model();
    expect(output).toContain("Others can answer, too: `/model gemini:NAME`, `/model local:NAME`.");
    expect((await setUp().model()).output).not.toContain("Others");
  });

  // Bug: with `provider` set to `local`, another provider was asked for its models all the same.
  test("refuses a model of whoever may not answer, and does not ask them", async () => {
    const { asked, choices, model: run } = setUp();
    const answer = await run("gemini:gemini-3.8-pro");
    expect(answer).toMatchObject({ isError: true, output: expect.stringContaining("cannot answer here") });
    expect(asked).toEqual([]);
    expect(choices).toEqual([]);
    expect((await run("anthropic:claude-opus-5-5")).isError).toBeUndefined();
  });

  test("refuses a name that another provider does not have, with those near it", async () => {
    const answer = await setUp({ others: ["gemini"] }).model("gemini:gemini-3.8-por");
    expect(answer).toMatchObject({
      isError: true,
      output: expect.stringContaining("`gemini:gemini-3.8-pro`"),
    });
  });

  test("takes default back to the settings'", async () => {
    const { choices, model: run } = setUp();
    await run("default");
    expect(choices).toEqual([{ model: null }]);
  });

  test.each([
    ["haiku-4", "`claude-haiku-4-5-20251001`"],
    ["claude-opus-5-6", "`claude-opus-5-5`"],
    ["grok", "`/model` lists them"],
  ])("refuses %s with near names: %s", async (typed, hint) => {
    const { choices, model: run } = setUp();
    const answer = await run(typed);
    expect(answer).toMatchObject({ isError: true, output: expect.stringContaining(hint) });
    expect(choices).toEqual([]);
  });

  test.each([
    [null, "can't check whether this model exists"],
    [new Error("No connection."), "Could not check whether this model exists: No connection."],
  ])("takes any name where there is no list (%s), and says so", async (ids, words) => {
    const { choices, model: run } = setUp({ ids });
    expect(await run("qwen9")).toMatchObject({ output: expect.stringContaining(words) });
    expect(choices).toEqual([{ model: "qwen9" }]);
  });
});

describe("/effort", () => {
  test("shows the effort and which there are", async () => {
    expect((await setUp({ effort: "low" }).effort()).output).toBe(
      "Effort: **Low**. Opus 5.5 takes `off`, `low`, `medium`, `high`, `default`.",
    );
    expect((await setUp({ effort: "off", efforts: always }).effort()).output).toContain(
      "which this model can't use",
    );
  });

  test.each(["off", "low", "medium", "high", "default"])("takes %s", async (word) => {
    const { choices, effort } = setUp();
    expect((await effort(word)).isError).toBeUndefined();
    expect(choices).toEqual([{ effort: word }]);
  });

  test.each([
    ["off", always, "It always thinks."],
    ["high", { taken: [], why: "Parley does not know how to set this for this model." }, "cannot be set"],
    ["most", all, "There is no effort `most`"],
  ])("refuses %s where the model does not take it, and says why", async (word, efforts, why) => {
    const { choices, effort } = setUp({ efforts });
    expect(await effort(word)).toMatchObject({ isError: true, output: expect.stringContaining(why) });
    expect(choices).toEqual([]);
  });

  test("says that off is not quite off", async () => {
    const { effort } = setUp({ efforts: { ...all, offIsLeast: true } });
    expect((await effort("off")).output).toContain("as little as it can");
  });
});
