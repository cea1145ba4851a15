import { afterEach, describe, expect, test } from "vitest";
import type { Settings } from "../../../shared/settings.ts";
import type { ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { responsesProtocol } from "../../fakes/model-server/responses-protocol.ts";
import {
  type Api,
  answered,
  apis,
  createProviderRig,
  prompt,
  replyTo,
  requestOf,
  script,
} from "./provider-rig.ts";

/** What only OpenAI's Responses API brings along. */

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const named = (wanted: Api["api"]): Api =>
  apis.find(({ id, api }) => id === "openai" && api === wanted) ?? expect.unreachable("there is no such API");

async function setUp(api = named("responses"), protocol = api.protocol(), settings: Partial<Settings> = {}) {
  const rig = await createProviderRig(api, settings, protocol);
  servers.push(rig.server);
  return rig;
}

const calls = [
  { name: "look", input: { path: "a" } },
  { name: "plain", input: {} },
];

describe("the request", () => {
  test("keeps nothing there, asks for the reasoning sealed, and names neither a temperature nor a strict schema", async () => {
    const { provider, server } = await setUp();
    await replyTo(
      provider,
      requestOf([prompt("Hi")], { model: "gpt-5.6-terra", effort: "low", temperature: 0.2 }),
    );
    const [sent] = server.requests;
    expect(sent?.path).toBe("/v1/responses");
    expect(sent?.headers.authorization).toBe("Bearer the-key");
    expect(sent?.raw).toMatchObject({
      model: "gpt-5.6-terra",
      instructions: "Be brief.",
      input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }] }],
      reasoning: { effort: "low", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      store: false,
      stream: true,
    });
    expect(sent?.raw).not.toHaveProperty("temperature");
    expect(sent?.raw).toHaveProperty("tools.0.strict", false);
  });

  test("goes to other servers over Chat Completions, whatever the model is called", async () => {
    const { provider, server } = await setUp(named(undefined), openaiProtocol());
    await replyTo(provider, requestOf([prompt("Hi")], { model: "gpt-5.1" }));
    expect(server.requests[0]?.path).toBe("/v1/chat/completions");
  });

  test("an organisation that gets no summaries is asked without, at once and from then on", async () => {
    const { provider, server, clock } = await setUp(
      named("responses"),
      responsesProtocol({ unverified: true }),
    );
    const request = requestOf([prompt("Hi")], { model: "gpt-5.4-nano" });
    expect((await replyTo(provider, request)).shown).toBe("Hi");
    expect((await replyTo(provider, request)).shown).toBe("Hi");
    expect(server.requests).toHaveLength(2);
    expect(clock.slept).toEqual([]);
    expect(server.requests[1]?.raw).not.toHaveProperty("reasoning");
  });
});

describe("reasoning", () => {
  const asked = (quirks: string[]) => [prompt(script("thinking", { calls, quirks }))];

  test("comes back sealed before the calls that it led to, also where nothing of it can be read", async () => {
    const { provider, server } = await setUp();
    const messages = asked(["no-summary"]);
    const { message } = await replyTo(provider, requestOf(messages));
    const next = answered(messages, message);
    expect((await replyTo(provider, requestOf(next))).shown).toContain("Results: look got");
    const types = JSON.stringify(server.requests[1]?.raw).match(/"(reasoning|function_call)","/g);
    expect(types).toEqual(['"reasoning","', '"function_call","', '"function_call","']);
  });

  test("without its seal it is only to be read", async () => {
    const { provider, server } = await setUp();
    const messages = asked(["unsealed"]);
    const { message } = await replyTo(provider, requestOf(messages));
    expect(message.content[0]).toMatchObject({ type: "thinking", thinking: "Let me think about it." });
    await replyTo(provider, requestOf(answered(messages, message)));
    expect(JSON.stringify(server.requests[1]?.raw)).not.toContain("rs_");
  });

  test("of another model it stays here, and so does what led to nothing", async () => {
    const { provider, server } = await setUp();
    const first = [prompt(script("thinking", { text: "So." }))];
    const { message } = await replyTo(provider, requestOf(first));
    const history = [...first, { role: "assistant" as const, content: message.content }, prompt("Go on")];
    await replyTo(provider, requestOf(history, { model: "gpt-5.6-terra" }));
    expect(JSON.stringify(server.requests[1]?.raw)).not.toContain("rs_");
    const cut = [
      ...first,
      { role: "assistant" as const, content: message.content.filter(({ type }) => type === "thinking") },
      prompt("Go on"),
    ];
    await replyTo(provider, requestOf(cut));
    expect(JSON.stringify(server.requests[2]?.raw)).not.toContain("rs_");
  });
});
