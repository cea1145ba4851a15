import { describe, expect, test } from "vitest";
import { type Answer, askedProvider, asks, requestFor } from "../../fakes/asked-provider.ts";

/** What gateways of Anthropic's and Google's APIs answer with status 200 in place of a stream. */

const claude = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://gateway.example" };
const gemini = { GEMINI_API_KEY: "k", GEMINI_BASE_URL: "https://gateway.example" };

async function ask(env: Record<string, string>, answers: Answer[]) {
  const { provider, bodies } = askedProvider(env, answers);
  const model = env === claude ? "claude-opus-5-5" : "gemini-3.8-flash";
  const sent = requestFor(model, [asks("Hello")]);
  const outcome = await provider
    .complete(sent, new AbortController().signal)
    .catch((failure: unknown) => failure);
  return { outcome, bodies };
}

const message = {
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [
    { type: "thinking", thinking: "Hm.", signature: "sig" },
    { type: "text", text: "Looking." },
    { type: "tool_use", id: "a", name: "look", input: { path: "a" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 5, output_tokens: 7 },
};
const types = ["text/event-stream", "application/json", "text/plain", ""];

describe("Claude", () => {
  test.each(types)("a whole reply as %j is read", async (type) => {
    for (const body of [JSON.stringify(message), `\n${JSON.stringify(message, null, 2)}`]) {
      const { outcome, bodies } = await ask(claude, [{ body, type }]);
      const usage = { inputTokens: 5, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const { content, model } = message;
      expect(outcome).toEqual({ content, stopReason: "tool_use", usage, model });
      expect(bodies).toHaveLength(1);
    }
  });

  test.each([
    [
      '{"type":"error","error":{"type":"invalid_request_error","message":"No such thing."}}',
      "No such thing.",
    ],
    ['{"detail":"No such thing."}', "No such thing."],
    ["\n<!doctype html>\n<p>Hi", "gateway.example answered with a web page."],
    ['{"status":"ok"}', "gateway.example answered with something else than a reply."],
  ])("%j is named, and asked for once", async (body, words) => {
    for (const type of types) {
      const { outcome, bodies } = await ask(claude, [{ body, type }]);
      expect(outcome).toMatchObject({ message: expect.stringContaining(words) });
      expect(bodies).toHaveLength(1);
    }
  });

  test.each([
    "event: error\ndata: The GPU fell off.\n\n",
    'event: error\ndata: {"message":"The GPU fell off."}\n\n',
    'data: {"type":"error","error":{"type":"api_error","message":"The GPU fell off."}}\n\n',
  ])("%j is told in its words", async (body) => {
    const { outcome } = await ask(claude, [{ body }]);
    expect(outcome).toMatchObject({ message: expect.stringContaining("The GPU fell off.") });
  });

  test("behind the end of a message nothing is waited for", async () => {
    const events = [
      { type: "message_start", message: { model: "m", usage: { output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } },
      { type: "message_stop" },
    ];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const encoder = new TextEncoder();
        for (const event of events) controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
      },
    });
    const { outcome } = await ask(claude, [{ body }]);
    expect(outcome).toMatchObject({ content: [{ type: "text", text: "Hi" }] });
  });
});

// Bug: it was searched for many seconds while the window stood still, and shown whole.
test.each([
  ["Claude", claude, "token count "],
  ["Gemini", gemini, "token count "],
  ["Gemini", gemini, "encrypted content "],
])("what %s says at great length is read in a moment, and cut", async (_who, env, words) => {
  const json = { type: "error", error: { code: 400, message: words.repeat(100_000) } };
  const { outcome } = await ask(env, [{ status: 400, json }]);
  expect(String(outcome).length).toBeLessThan(3000);
});

test("a web page in place of Gemini's reply is named, and asked for once", async () => {
  const page: Answer = { body: "<!doctype html><p>Hi", type: "text/html; charset=utf-8" };
  const { outcome, bodies } = await ask(gemini, [page]);
  expect(outcome).toMatchObject({ message: "gateway.example answered with a web page." });
  expect(bodies).toHaveLength(1);
});
