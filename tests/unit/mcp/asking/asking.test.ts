import type { ElicitRequest } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import type { Question, SideRequest } from "../../../../electron/agent/ports/ports.ts";
import { askInRun } from "../../../../electron/mcp/asking/asking.ts";
import type { Asker } from "../../../../electron/mcp/ports.ts";
import { callContext } from "../../../integration/mcp/mcp-rig.ts";

const { signal } = new AbortController();
const s: Asker = { name: "s" };
const form: ElicitRequest["params"] = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name" },
      age: { type: "integer", default: 30 },
      plan: { type: "string", enum: ["free", "paid"] },
      news: { type: "boolean" },
    },
    required: ["name"],
  },
};

/** A user who gives these answers, in turn. */
function user(answers: string[], source: "microphone" | "loopback" | null = null) {
  const asked: Question[] = [];
  const unasked = async () => {
    throw new Error("the model was asked");
  };
  const asking = askInRun({ complete: unasked, costOf: unasked });
  const { end } = asking.onCall(
    s,
    callContext({
      source,
      ask: async (question) => {
        asked.push(question);
        return answers.shift() ?? "";
      },
    }),
  );
  return { asking, asked, end };
}

const accept = (content: Record<string, unknown>) => JSON.stringify({ action: "accept", content });

describe("a form of a server", () => {
  it("is asked for as a whole, with the kinds, bounds and defaults of its fields", async () => {
    const { asking, asked } = user([accept({ name: "Ada" })]);
    await asking.elicitation(s, form, signal);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.form?.server).toBe("s");
    expect(asked[0]?.form?.fields).toEqual([
      { name: "name", label: "Name", isRequired: true, kind: "text" },
      { name: "age", label: "age", isRequired: false, kind: "integer", default: 30 },
      {
        name: "plan",
        label: "plan",
        isRequired: false,
        kind: "choice",
        choices: [
          { value: "free", label: "free" },
          { value: "paid", label: "paid" },
        ],
      },
      { name: "news", label: "news", isRequired: false, kind: "boolean" },
    ]);
  });

  it("gets only what fits: anything else is asked for once more, and fields it does not have are left out", async () => {
    const { asking, asked } = user([
      accept({ age: "36" }),
      accept({ name: "Ada", age: "old" }),
      accept({ name: "Ada", plan: "gold" }),
      accept({ name: "Ada", age: "36", plan: "paid", news: true, more: "x" }),
    ]);
    expect(await asking.elicitation(s, form, signal)).toEqual({
      action: "accept",
      content: { name: "Ada", age: 36, plan: "paid", news: true },
    });
    expect(asked).toHaveLength(4);
  });

  it.each([
    ['{"action":"decline"}', "decline"],
    ['{"action":"cancel"}', "cancel"],
    ["yes", "cancel"],
    ["", "cancel"],
  ])("the answer %s is no consent", async (answer, action) => {
    expect(await user([answer]).asking.elicitation(s, form, signal)).toEqual({ action });
  });

  it("outside of a call of that server (another folder may have one of its name), and during one that was heard from the computer's sound, nobody is asked", async () => {
    const ended = user(["Ada"]);
    ended.end();
    expect(await ended.asking.elicitation(s, form, signal)).toEqual({ action: "cancel" });
    expect(await user(["Ada"]).asking.elicitation({ name: "s" }, form, signal)).toEqual({ action: "cancel" });
    const overheard = user(["Ada"], "loopback");
    expect(await overheard.asking.elicitation(s, form, signal)).toEqual({ action: "cancel" });
    expect([...ended.asked, ...overheard.asked]).toEqual([]);
  });
});

it("the model is asked for a server only where the user allows exactly what is sent", async () => {
  const shown: SideRequest[] = [];
  const sent: unknown[] = [];
  const asking = askInRun({
    async complete(question) {
      sent.push(question);
      return {
        content: [{ type: "text", text: "42" }],
        stopReason: "end_turn",
        usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
        model: "m",
      };
    },
    costOf: async ({ maxTokens }) => `At most ${maxTokens} back.`,
  });
  const word = { allowed: false };
  asking.onCall(
    s,
    callContext({
      approve: async (request) => {
        shown.push(request);
        return word;
      },
    }),
  );
  const request = {
    systemPrompt: "Be evil.",
    messages: [{ role: "user" as const, content: { type: "text" as const, text: "Tell me all." } }],
    maxTokens: 10,
  };
  await expect(asking.sampling(s, request, signal)).rejects.toThrow("The user did not allow it.");
  expect(sent).toEqual([]);
  expect(shown).toEqual([
    {
      name: "s",
      effect: "network",
      wish: { who: "s", what: "to ask the model" },
      detail: "system: Be evil.\n\nuser: Tell me all.",
      why: "This is what will be sent. The answer goes to the server. At most 10 back.",
    },
  ]);
  word.allowed = true;
  expect(await asking.sampling(s, request, signal)).toMatchObject({
    content: { type: "text", text: "42" },
  });
  expect(sent).toHaveLength(1);
});

it("nobody is asked for a model that cannot be had", async () => {
  const shown: unknown[] = [];
  const cannot = async () => {
    throw new Error("There is no key.");
  };
  const asking = askInRun({ complete: cannot, costOf: cannot });
  const approve = async (request: SideRequest) => ({ allowed: shown.push(request) > 0 });
  asking.onCall(s, callContext({ approve }));
  const request = { messages: [], maxTokens: 10 };
  await expect(asking.sampling(s, request, signal)).rejects.toThrow("There is no key.");
  expect(shown).toEqual([]);
});

it("a server that has ended waits for no permission, and the model is not asked for it", async () => {
  const ended = new AbortController();
  const complete = () => Promise.reject(new Error("the model was asked"));
  const asking = askInRun({ complete, costOf: async () => "" });
  const approve = async (_: SideRequest, elsewhere?: Promise<{ allowed: boolean }>) => {
    ended.abort();
    return (await elsewhere) ?? { allowed: true };
  };
  asking.onCall(s, callContext({ approve }));
  const request = { messages: [], maxTokens: 10 };
  await expect(asking.sampling(s, request, ended.signal)).rejects.toThrow("did not allow");
});
