import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ModelStreamEvent, Tool } from "../../../electron/agent/ports/ports.ts";
import { type Answer, askedProvider, asks, chatReply, requestFor } from "../../fakes/asked-provider.ts";

const tool = (name: string): Tool => ({
  name,
  description: name,
  input: z.unknown(),
  inputSchema: { type: "object", properties: { a: { type: "string" } } },
  effect: "execute",
  run: async () => ({ text: "" }),
});

const refusal = (json: object): Answer => ({ status: 400, json });
const events = (...all: readonly (Record<string, unknown> & { type: string })[]): Answer => ({
  body: all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
});

interface Api {
  name: string;
  env: Record<string, string>;
  refuses(message: string, param?: string): Answer;
  works: Answer;
  /** The names that were sent. */
  sent(body: Record<string, unknown>): string[];
}

const named = z.array(z.object({ name: z.string() }));
const namesIn = (value: unknown) => named.parse(value ?? []).map(({ name }) => name);

const anthropic: Api = {
  name: "claude-opus-5-5",
  env: { ANTHROPIC_API_KEY: "k" },
  refuses: (message) => refusal({ type: "error", error: { type: "invalid_request_error", message } }),
  works: events(
    {
      type: "message_start",
      message: { model: "claude-opus-5-5", usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ),
  sent: ({ tools }) => namesIn(tools),
};
const openai: Api = {
  name: "some-model",
  env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://server.example/v1" },
  refuses: (message, param) =>
    refusal({ error: { message, type: "invalid_request_error", param, code: null } }),
  works: chatReply({ content: "Done." }),
  sent: ({ tools }) =>
    z
      .array(z.object({ function: z.object({ name: z.string() }) }))
      .parse(tools ?? [])
      .map((one) => one.function.name),
};
const gemini: Api = {
  name: "gemini-3.8-flash",
  env: { GEMINI_API_KEY: "k" },
  refuses: (message) => refusal({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  works: {
    chunks: [
      { candidates: [{ content: { role: "model", parts: [{ text: "Done." }] }, finishReason: "STOP" }] },
    ],
  },
  sent: ({ tools }) =>
    z
      .array(z.object({ functionDeclarations: named }))
      .parse(tools ?? [])
      .flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
};

const tools = () => ["s__one", "s__two", "s__three"].map(tool);

async function ask(api: Api, answers: readonly Answer[], offered = tools()) {
  const { provider, bodies } = askedProvider(api.env, answers);
  const once = async () => {
    const notices: string[] = [];
    let last: ModelStreamEvent | null = null;
    let failure: unknown = null;
    try {
      const request = requestFor(api.name, [asks("Hello")], { tools: offered });
      for await (const event of provider.stream(request, new AbortController().signal)) {
        if (event.type === "notice" && event.text.includes("s__")) notices.push(event.text);
        last = event;
      }
    } catch (error) {
      failure = error;
    }
    return { notices, last, failure, sent: bodies.map(api.sent) };
  };
  return { first: await once(), again: once };
}

const [whole, left] = [
  ["s__one", "s__two", "s__three"],
  ["s__one", "s__three"],
];

describe("a tool that an API refuses is left out by name, said once, and the request is made again", () => {
  test.each<[string, Api, string, string?]>([
    [
      "Anthropic: its arguments",
      anthropic,
      "tools.1.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    ],
    [
      "Anthropic: its schema",
      anthropic,
      "tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.",
    ],
    ["Anthropic: its name", anthropic, "tools.1.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
    ["OpenAI: its place", openai, "Invalid value.", "tools[1].function.parameters"],
    [
      "OpenAI: its name",
      openai,
      "Invalid schema for function 's__two': In context=('properties', 'a'), array schema missing items.",
    ],
    ["Groq", openai, "invalid JSON schema for tool s__two, tools[1].function.parameters: `/properties/a`"],
    [
      "Gemini",
      gemini,
      "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[a].items: missing field.\n",
    ],
    [
      "Gemini, of its JSON",
      gemini,
      "Unknown name \"x\" at 'tools[0].function_declarations[1].parameters': Cannot find field.",
    ],
  ])("%s", async (_, api, message, param) => {
    const { first, again } = await ask(api, [api.refuses(message, param), api.works]);
    expect(first).toMatchObject({ failure: null, last: { type: "message" }, sent: [whole, left] });
    expect(first.notices).toEqual([
      "The model's server refuses the schema of the tool s__two, so it is asked without it.",
    ]);
    const second = await again();
    expect(second).toMatchObject({ failure: null, notices: [], sent: [whole, left, left] });
  });

  test("FastAPI, which has no words but a list", async () => {
    const json = { detail: [{ loc: ["body", "tools", 1, "function"], msg: "extra fields" }] };
    const { first } = await ask(openai, [{ status: 422, json }, openai.works]);
    expect(first).toMatchObject({ failure: null, sent: [whole, left] });
  });

  test.each([anthropic, openai, gemini])("one after the other, and several at once", async (api) => {
    const place = (at: number) =>
      api === gemini ? `tools[0].function_declarations[${at}].parameters` : `tools.${at}.input_schema`;
    const one = await ask(api, [api.refuses(`${place(1)}: no`), api.refuses(`${place(1)}: no`), api.works]);
    expect(one.first.sent).toEqual([whole, left, ["s__one"]]);
    expect(one.first.notices).toHaveLength(2);
    const both = await ask(api, [api.refuses(`${place(0)}: no\n${place(2)}: no`), api.works]);
    expect(both.first.sent).toEqual([whole, ["s__two"]]);
    expect(both.first.notices).toEqual([
      "The model's server refuses the schemas of the tools s__one, s__three, so it is asked without them.",
    ]);
  });

  test.each([anthropic, openai, gemini])("where no tool is named, nothing is left out", async (api) => {
    for (const message of [
      "messages.1.content.0: no",
      "tools.9.custom: no",
      "There are too many tools (3).",
    ]) {
      const { first } = await ask(api, [api.refuses(message), api.works]);
      expect(first.sent).toEqual([whole]);
      expect(first.failure).toMatchObject({ message: expect.stringContaining(message) });
    }
  });
});
