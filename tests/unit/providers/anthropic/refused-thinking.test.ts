import { expect, test } from "vitest";
import { z } from "zod";
import type { ApiMessage } from "../../../../electron/agent/ports/ports.ts";
import { createProvider } from "../../../../electron/providers/create-provider.ts";
import type { Effort } from "../../../../shared/conversation/effort.ts";
import { defaultSettings } from "../../../../shared/settings.ts";
import { InstantClock } from "../../../fakes/clock.ts";

const sentBody = z.looseObject({
  thinking: z.looseObject({ type: z.string() }).optional(),
  messages: z.array(z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) })),
});

/** What is sent, request by request, while the API answers with these words. */
async function sentWhile(refusals: string[], model: string, effort: Effort, messages: ApiMessage[]) {
  const bodies: z.infer<typeof sentBody>[] = [];
  const answer: typeof fetch = async (url, init) => {
    const request = url instanceof Request ? url : new Request(url, init);
    bodies.push(sentBody.parse(await request.json()));
    const message = refusals[bodies.length - 1] ?? "No.";
    const error = { type: "error", error: { type: "invalid_request_error", message } };
    return new Response(JSON.stringify(error), { status: 400 });
  };
  const provider = createProvider(
    { ...defaultSettings, retryMax: 0 },
    { clock: new InstantClock(), newId: () => "id", env: { ANTHROPIC_API_KEY: "k" }, fetch: answer },
  );
  const request = { model, system: "", messages, tools: [], maxTokens: 100, temperature: 1, effort };
  const asked = provider.complete(request, new AbortController().signal);
  const failure = await asked.catch((error: unknown) => error);
  return { bodies, failure: String(failure) };
}

const kinds = ({ messages }: z.infer<typeof sentBody>) =>
  messages.map(({ content }) => content.map(({ type }) => type).join());

const text = (role: ApiMessage["role"], said: string): ApiMessage => ({
  role,
  content: [{ type: "text", text: said }],
});
const thought = { type: "thinking" as const, thinking: "Hm.", signature: "signed" };
const call = { type: "tool_use" as const, id: "a", name: "look", input: {} };
const result = { type: "tool_result" as const, tool_use_id: "a", content: "Seen." };
const talk: ApiMessage[] = [
  text("user", "Hello"),
  {
    role: "assistant",
    content: [thought, { type: "redacted_thinking", data: "x" }, { type: "text", text: "Hi." }],
  },
  text("user", "And now?"),
];

const bound =
  "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.";

test("where what it thought before is refused, it is asked again without that", async () => {
  const { bodies, failure } = await sentWhile([bound], "claude-opus-5-5", "high", talk);
  expect(bodies.map(kinds)).toEqual([
    ["text", "thinking,redacted_thinking,text", "text"],
    ["text", "text", "text"],
  ]);
  expect(bodies.map(({ thinking }) => Object.hasOwn(thinking ?? {}, "block_binding"))).toEqual([true, false]);
  expect(failure).toContain("No.");
});

test("it is asked again once, and not where something else is refused", async () => {
  expect((await sentWhile([bound, bound], "claude-opus-5-5", "high", talk)).bodies).toHaveLength(2);
  expect((await sentWhile(["messages: too few"], "claude-opus-5-5", "high", talk)).bodies).toHaveLength(1);
});

test("with thinking disabled, what was thought before is left out where it would be checked", async () => {
  const off = await sentWhile([], "claude-haiku-5-5", "off", talk);
  expect(off.bodies.map(kinds)).toEqual([["text", "text", "text"]]);
  const between = await sentWhile([], "claude-sonnet-5-5", "off", talk);
  expect(between.bodies.map(kinds)).toEqual([["text", "thinking,redacted_thinking,text", "text"]]);
  const older = await sentWhile([], "claude-haiku-4-5", "off", talk);
  expect(older.bodies.map(kinds)).toEqual([["text", "thinking,redacted_thinking,text", "text"]]);
});

test("a budget is not switched on in the middle of a turn that began without thinking", async () => {
  const inTurn = (content: ApiMessage["content"]): ApiMessage[] => [
    text("user", "Look"),
    { role: "assistant", content },
    { role: "user", content: [result] },
  ];
  const late = await sentWhile([], "claude-haiku-4-5", "high", inTurn([call]));
  expect(late.bodies[0]?.thinking).toBeUndefined();
  const from = await sentWhile([], "claude-haiku-4-5", "high", inTurn([thought, call]));
  expect(from.bodies[0]?.thinking).toMatchObject({ type: "enabled" });
  const adaptive = await sentWhile([], "claude-opus-4-8", "high", inTurn([call]));
  expect(adaptive.bodies[0]?.thinking).toMatchObject({ type: "adaptive" });
});
