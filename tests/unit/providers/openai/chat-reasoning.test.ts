import { expect, test } from "vitest";
import { z } from "zod";
import type { ApiMessage } from "../../../../electron/agent/ports/ports.ts";
import { type Answer, askedProvider, asks, chatReply, requestFor } from "../../../fakes/asked-provider.ts";

/** What servers of Chat Completions give of a model's reasoning, and want back. */

const at = (host: string) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: `https://${host}/v1` });
const gone = new AbortController().signal;
const done = chatReply({ content: "Done." });

/** The reply, and the assistant's message as it is sent the next time, to the host that is given. */
async function replied(answer: Answer, host: string, nextHost = host) {
  const first = askedProvider(at(host), [answer]);
  const message = await first.provider.complete(requestFor("some-model", [asks("Hello")]), gone);
  const history: ApiMessage[] = [
    asks("Hello"),
    { role: "assistant", content: message.content },
    {
      role: "user",
      content: message.content.flatMap((block) =>
        block.type === "tool_use"
          ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "Seen." }]
          : [],
      ),
    },
    asks("Go on"),
  ];
  const next = askedProvider(at(nextHost), [done]);
  await next.provider.complete(requestFor("some-model", history), gone);
  const sent = z.array(z.record(z.string(), z.unknown())).parse(next.bodies[0]?.messages)[1];
  return { message, sent };
}

// Bug: DeepSeek refused the second prompt of every conversation in which it had answered without a call.
test("`reasoning_content` goes back on a reply without calls, too, to its own server only", async () => {
  const answer = chatReply({ reasoning_content: "Hm." }, { content: "Hi." });
  const { message, sent } = await replied(answer, "deep.example");
  expect(message.content).toMatchObject([
    { type: "thinking", thinking: "Hm." },
    { type: "text", text: "Hi." },
  ]);
  expect(sent).toEqual({ role: "assistant", content: "Hi.", reasoning_content: "Hm." });
  const elsewhere = await replied(answer, "deep.example", "other.example");
  expect(elsewhere.sent).toEqual({ role: "assistant", content: "Hi." });
});

const call = { index: 0, id: "tool_look_1", function: { name: "look", arguments: "{}" } };
const sealed = {
  type: "reasoning.encrypted",
  data: "c2lnbmVk",
  id: "tool_look_1",
  format: "google-gemini-v1",
  index: 1,
};

// Bug: over OpenRouter, Gemini 3 refused the request after its first call: its thought signature was missing.
test("`reasoning_details` go back unchanged, those in pieces put together", async () => {
  const text = { type: "reasoning.text", format: "google-gemini-v1", index: 0 };
  const answer = chatReply(
    { reasoning: "Let me ", reasoning_details: [{ ...text, text: "Let me " }] },
    { reasoning: "look.", reasoning_details: [{ ...text, text: "look.", signature: null }] },
    { reasoning_details: [{ ...text, text: "", signature: "s1" }] },
    { tool_calls: [call], reasoning_details: [sealed] },
  );
  const { message, sent } = await replied(answer, "openrouter.example");
  expect(message.content[0]).toMatchObject({ type: "thinking", thinking: "Let me look." });
  expect(sent?.reasoning_details).toEqual([{ ...text, text: "Let me look.", signature: "s1" }, sealed]);
  expect(sent).not.toHaveProperty("reasoning_content");
  const elsewhere = await replied(answer, "openrouter.example", "other.example");
  expect(elsewhere.sent).not.toHaveProperty("reasoning_details");
});

test("sealed reasoning that nobody can read goes back, too", async () => {
  const { sent } = await replied(
    chatReply({ tool_calls: [call], reasoning_details: [sealed] }),
    "openrouter.example",
  );
  expect(sent?.reasoning_details).toEqual([sealed]);
});

test("what came beside calls goes back with each of them where replies follow each other", async () => {
  const { provider } = askedProvider(at("gemini.example"), [
    chatReply({ tool_calls: [{ ...call, id: "a" }] }),
    chatReply({ tool_calls: [{ ...call, id: "b", extra_content: signed("s1") }] }),
    chatReply({
      tool_calls: [
        { ...call, id: "c", extra_content: signed("s2") },
        { ...call, index: 1, id: "d" },
        { ...call, index: 2, id: "e", extra_content: signed("s3") },
      ],
    }),
    done,
  ]);
  const replies: ApiMessage[] = [];
  for (const _ of "123") {
    const { content } = await provider.complete(requestFor("some-model", [asks("Go")]), gone);
    replies.push({ role: "assistant", content });
  }
  const next = askedProvider(at("gemini.example"), [done]);
  await next.provider.complete(requestFor("some-model", [asks("Go"), ...replies, asks("Go on")]), gone);
  const messages = z.array(z.object({ tool_calls: z.array(z.looseObject({})).default([]) }));
  const sent = messages.parse(next.bodies[0]?.messages).flatMap(({ tool_calls }) => tool_calls);
  expect(sent.map(({ id, extra_content }) => [id, extra_content])).toEqual([
    ["a", undefined],
    ["b", signed("s1")],
    ["c", signed("s2")],
    ["d", undefined],
    ["e", signed("s3")],
  ]);
});

// Bug: every reply of a Mistral model that thinks ended in “The server does not stream in the Chat Completions format.”
test("what is said and thought comes in a list of parts, too", async () => {
  const { message } = await replied(
    chatReply(
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "Let me " }] }] },
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "see." }] },
          { type: "text", text: "It is " },
          { type: "reference", reference_ids: [1] },
        ],
      },
      { content: "five." },
    ),
    "api.mistral.ai",
  );
  expect(message.content).toMatchObject([
    { type: "thinking", thinking: "Let me see." },
    { type: "text", text: "It is five." },
  ]);
});

// Google says: whoever leaves these out gets worse answers. https://ai.google.dev/gemini-api/docs/thought-signatures
test.each([
  ["at the end", [{ content: "It is " }, { content: "five.", extra_content: signed("s1") }]],
  ["at the beginning", [{ content: "It is ", extra_content: signed("s1") }, { content: "five." }]],
  [
    "behind what is marked as thinking",
    [
      { content: "<thought>Hm.", extra_content: { google: { thought: true } } },
      {
        content: "</thought>It is five.",
        extra_content: { google: { thought: true, ...signed("s1").google } },
      },
      { content: "", extra_content: { google: { thought: true } } },
    ],
  ],
])("the signature of an answer goes back with it, to its own server only: %s", async (_where, deltas) => {
  const answer = chatReply(...deltas);
  const { sent } = await replied(answer, "gemini.example");
  expect(sent).toEqual({ role: "assistant", content: "It is five.", extra_content: signed("s1") });
  const elsewhere = await replied(answer, "gemini.example", "other.example");
  expect(elsewhere.sent).toEqual({ role: "assistant", content: "It is five." });
});

test.each([{ google: { thought: true } }, { google: "s1" }, "s1", null])(
  "%j beside an answer is no signature: nothing goes back",
  async (extra_content) => {
    const { sent } = await replied(chatReply({ content: "Hi.", extra_content }), "gemini.example");
    expect(sent).toEqual({ role: "assistant", content: "Hi." });
  },
);

test("a server that refuses what it gave beside an answer is asked without", async () => {
  const given = chatReply({ content: "Hi.", extra_content: signed("s1") });
  const refused = { status: 400, json: { error: { message: "Unknown field: messages.1.extra_content" } } };
  const { provider, bodies } = askedProvider(at("odd.example"), [given, refused, done]);
  const { content } = await provider.complete(requestFor("odd-model", [asks("Hello")]), gone);
  const history: ApiMessage[] = [asks("Hello"), { role: "assistant", content }, asks("Go on")];
  await provider.complete(requestFor("odd-model", history), gone);
  expect(bodies.map((body) => JSON.stringify(body).includes("extra_content"))).toEqual([false, true, false]);
});

function signed(thought_signature: string) {
  return { google: { thought_signature } };
}
