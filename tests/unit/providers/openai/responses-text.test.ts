import { expect, test } from "vitest";
import { z } from "zod";
import type { ApiMessage, ModelStreamEvent } from "../../../../electron/agent/ports/ports.ts";
import { contentBlock } from "../../../../shared/conversation/messages.ts";
import { type Answer, askedProvider, asks, requestFor } from "../../../fakes/asked-provider.ts";

const gone = new AbortController().signal;
const openai = { OPENAI_API_KEY: "k" };
const model = "gpt-5.6-terra";

const said = (phase: string | null, ...deltas: string[]) => [
  ...deltas.map((delta) => ({ type: "response.output_text.delta", delta })),
  { type: "response.output_item.done", item: { type: "message", phase } },
];
const end = { type: "response.completed", response: {} };
const done: Answer = { chunks: [end] };
const two: Answer = {
  chunks: [...said("commentary", "I will ", "look at it."), ...said("final_answer", "It is five."), end],
};

async function replied() {
  const events: ModelStreamEvent[] = [];
  const { provider } = askedProvider(openai, [two]);
  for await (const event of provider.stream(requestFor(model, [asks("How many?")]), gone)) events.push(event);
  const shown = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const last = events.at(-1);
  const content = last?.type === "message" ? last.message.content : expect.unreachable("no message");
  const history: ApiMessage[] = [asks("How many?"), { role: "assistant", content }, asks("And now?")];
  return { shown, content, history };
}

const inputIn = ({ input }: Record<string, unknown>) =>
  z
    .array(z.looseObject({ role: z.string() }))
    .parse(input)
    .filter(({ role }) => role === "assistant");

// Bug: what GPT said on the way and its answer were shown run together: “I will look at it.It is five.”
test("two messages of a reply are two paragraphs", async () => {
  const { shown, content } = await replied();
  expect(shown).toBe("I will look at it.\n\nIt is five.");
  expect(content).toEqual([
    { type: "text", text: "I will look at it.", phase: "commentary" },
    { type: "text", text: "It is five.", phase: "final_answer" },
  ]);
  expect(z.array(contentBlock).parse(content)).toEqual(content);
});

test("each goes back as what it was, and to no other API", async () => {
  const { history } = await replied();
  const own = askedProvider(openai, [done]);
  await own.provider.complete(requestFor(model, history), gone);
  expect(inputIn(own.bodies[0] ?? {})).toEqual([
    { role: "assistant", content: "I will look at it.", phase: "commentary" },
    { role: "assistant", content: "It is five.", phase: "final_answer" },
  ]);
  const claude = askedProvider({ ANTHROPIC_API_KEY: "k" }, [{ status: 400, json: {} }], { retryMax: 0 });
  await claude.provider.complete(requestFor("claude-opus-5-5", history), gone).catch(() => {});
  expect(JSON.stringify(claude.bodies)).toContain("It is five.");
  expect(JSON.stringify(claude.bodies)).not.toContain("phase");
});

test("a model that does not know the field is asked without it, at once and from then on", async () => {
  const { history } = await replied();
  const refused: Answer = {
    status: 400,
    json: { error: { message: "Unknown parameter: 'input[1].phase'.", param: "input[1].phase" } },
  };
  const { provider, bodies } = askedProvider(openai, [refused, done]);
  await provider.complete(requestFor("o3", history), gone);
  await provider.complete(requestFor("o3", history), gone);
  expect(bodies.map((body) => JSON.stringify(body).includes('"phase"'))).toEqual([true, false, false]);
});
