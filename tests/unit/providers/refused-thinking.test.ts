import { expect, test } from "vitest";
import type { ApiMessage } from "../../../electron/agent/ports/ports.ts";
import { reasoningSignature, responsesOwner } from "../../../electron/providers/openai/responses-request.ts";
import { markedSignature } from "../../../electron/providers/openai/thinking-marks.ts";
import { type Answer, askedProvider, asks, chatReply, requestFor } from "../../fakes/asked-provider.ts";

/** What a model thought before is not always taken back, such as after a change of the account. */

const thought = (signature: string): ApiMessage[] => [
  asks("Look"),
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm.", signature },
      { type: "tool_use", id: "a", name: "look", input: {} },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "Seen." }] },
];

async function askTwice(
  env: Record<string, string>,
  answers: Answer[],
  model: string,
  messages: ApiMessage[],
) {
  const asked = askedProvider(env, answers);
  const ask = () => asked.provider.complete(requestFor(model, messages), new AbortController().signal);
  const failures: unknown[] = [];
  for (let time = 0; time < 2; time++) await ask().catch((error: unknown) => failures.push(error));
  return { bodies: asked.bodies.map((body) => JSON.stringify(body)), failures };
}

const responseDone: Answer = { chunks: [{ type: "response.completed", response: {} }] };
const geminiDone: Answer = {
  chunks: [{ candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] }],
};
const openai = { OPENAI_API_KEY: "k" };
const gemini = { GEMINI_API_KEY: "k" };
const corrupted: Answer = {
  status: 400,
  json: { error: { code: 400, message: "Corrupted thought signature.", status: "INVALID_ARGUMENT" } },
};

// Bug: after a change of the account, OpenAI refused every further prompt of a conversation.
test("OpenAI is asked again without what it reasoned, and so from then on", async () => {
  const signature = reasoningSignature(responsesOwner("api.openai.com", "gpt-5.6-terra"), "rs_1", "gAAA-one");
  const refused: Answer = {
    status: 400,
    json: {
      error: {
        code: "invalid_encrypted_content",
        type: "invalid_request_error",
        message: "The encrypted content gAAA... could not be verified.",
        param: null,
      },
    },
  };
  const { bodies, failures } = await askTwice(
    openai,
    [refused, responseDone],
    "gpt-5.6-terra",
    thought(signature),
  );
  expect(failures).toEqual([]);
  expect(bodies.map((body) => body.includes("gAAA-one"))).toEqual([true, false, false]);
  expect(bodies.map((body) => body.includes("function_call"))).toEqual([true, true, true]);
});

// Bug: after Gemini had once refused a thought signature, the conversation could not go on.
test("Gemini is asked again with calls that it does not check, and so from then on", async () => {
  const { bodies, failures } = await askTwice(
    gemini,
    [corrupted, geminiDone],
    "gemini-3.8-flash",
    thought(markedSignature("gemini", "c2lnbmVkLW9uZQ==")),
  );
  expect(failures).toEqual([]);
  expect(bodies.map((body) => body.includes("c2lnbmVkLW9uZQ=="))).toEqual([true, false, false]);
  expect(bodies.map((body) => body.includes("skip_thought_signature_validator"))).toEqual([
    false,
    true,
    true,
  ]);
});

test("OpenRouter is asked again without what the model behind it reasoned", async () => {
  const details = [{ type: "reasoning.encrypted", data: "c2lnbmVkLXR3bw==" }];
  const raw = JSON.stringify({ error: { message: "Corrupted thought signature." } });
  const { bodies, failures } = await askTwice(
    { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://openrouter.example/v1" },
    [
      { status: 400, json: { error: { code: 400, message: "Provider returned error", metadata: { raw } } } },
      chatReply({ content: "Hi" }),
    ],
    "google/gemini-3-pro",
    thought(markedSignature("details@openrouter.example", JSON.stringify(details))),
  );
  expect(failures).toEqual([]);
  expect(bodies.map((body) => body.includes("c2lnbmVkLXR3bw=="))).toEqual([true, false, false]);
});

test("it is asked again once, and what came later goes back", async () => {
  const first = thought(markedSignature("gemini", "Zmlyc3Q="));
  const stuck = await askTwice(gemini, [corrupted], "gemini-3.8-flash", first);
  expect(stuck.failures).toHaveLength(2);
  expect(stuck.bodies).toHaveLength(3);
  const later = thought(markedSignature("gemini", "bGF0ZXI="));
  const next = await askTwice(gemini, [geminiDone], "gemini-3.8-flash", later);
  expect(next.bodies[0]).toContain("bGF0ZXI=");
});

// Bug: with gemini-flash-latest, which is a Gemini 3, a conversation that another model had begun failed at its first call.
test.each(["gemini-flash-latest", "gemini-pro-latest", "gemini-3.8-flash"])(
  "%s is told of calls that another model made",
  async (model) => {
    const { bodies } = await askTwice(gemini, [geminiDone], model, thought("of-claude"));
    expect(bodies[0]).toContain("skip_thought_signature_validator");
  },
);
