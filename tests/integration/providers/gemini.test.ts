import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { geminiSchema } from "../../../electron/providers/gemini/gemini-schema.ts";
import { geminiProtocol } from "../../fakes/model-server/gemini-protocol.ts";
import type { ModelServer } from "../../fakes/model-server/model-server.ts";
import {
  answered,
  apis,
  callsOf,
  createProviderRig,
  prompt,
  replyTo,
  requestOf,
  script,
} from "./provider-rig.ts";

/** What only Gemini brings along. */

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function setUp() {
  const api = apis.find(({ id }) => id === "gemini");
  if (!api) throw new Error("There is no such API.");
  const rig = await createProviderRig(api, {}, geminiProtocol());
  servers.push(rig.server);
  return rig;
}

const calls = [
  { name: "look", input: { path: "a" } },
  { name: "look", input: { path: "b" } },
];

test.each([[["no-ids"]], [["together"]], [["no-ids", "together", "no-usage"]]])(
  "%j: parallel calls arrive, and their results find them",
  async (quirks) => {
    const { provider } = await setUp();
    const messages = [prompt(script("tools", { calls, quirks }))];
    const { message } = await replyTo(provider, requestOf(messages));
    expect(callsOf(message).map(({ name, input }) => ({ name, input }))).toEqual(calls);
    expect(new Set(callsOf(message).map(({ id }) => id)).size).toBe(2);
    const next = await replyTo(provider, requestOf(answered(messages, message)));
    expect(next.shown).toBe('Results: look got {"path":"a"} | error: look got {"path":"b"}');
  },
);

test("tokens that the model thought with are paid for like those that it said", async () => {
  const { provider } = await setUp();
  const asked = script("text", { usage: { output: 40 }, quirks: ["thoughts"] });
  const { message } = await replyTo(provider, requestOf([prompt(asked)]));
  expect(message.usage).toMatchObject({ outputTokens: 40 });
});

test("a prompt that is blocked is a refusal, which is not asked for again", async () => {
  const { provider, server } = await setUp();
  const asked = script("refusal", { quirks: ["blocked"] });
  const { events, message } = await replyTo(provider, requestOf([prompt(asked)]));
  expect(message.stopReason).toBe("refusal");
  expect(events.map(({ type }) => type)).toEqual(["message"]);
  expect(server.requests).toHaveLength(1);
});

test("waits as long as the error's body says where no header does", async () => {
  const { provider, clock } = await setUp();
  const { events } = await replyTo(provider, requestOf([prompt(script("status", { code: 429 }))]));
  expect(events[0]).toMatchObject({ type: "retry", delayMs: 3000 });
  expect(clock.slept).toEqual([3000]);
});

test("the key goes in its header, and the model in the path", async () => {
  const { provider, server } = await setUp();
  await replyTo(provider, requestOf([prompt("Hi")], { model: "sonnet" }));
  const [request] = server.requests;
  expect(request?.headers["x-goog-api-key"]).toBe("the-key");
  expect(request?.path).toContain("/models/gemini-3.8-flash:streamGenerateContent");
  expect(request?.raw).toMatchObject({ generationConfig: { thinkingConfig: { includeThoughts: true } } });
});

test("schemas keep what Gemini takes: nothing else reaches it", () => {
  const node = z.object({
    name: z.string().min(1).regex(/x/),
    get next() {
      return node.optional();
    },
  });
  const shape = z.object({
    one: z.literal("a"),
    when: z.iso.datetime().default("2026-01-01T00:00:00Z"),
    from: z.number().int().positive(),
    either: z.union([z.string(), z.null()]),
    map: z.record(z.string(), z.number()),
    tree: node,
  });
  const schema = geminiSchema(z.toJSONSchema(shape, { io: "input" }));
  expect(schema).toMatchObject({
    type: "object",
    required: ["one", "from", "either", "map", "tree"],
    properties: {
      one: { type: "string", enum: ["a"] },
      when: { type: "string", format: "date-time" },
      from: { type: "integer", minimum: 1 },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
      map: { type: "object" },
      tree: { type: "object", properties: { name: { type: "string" }, next: { type: "object" } } },
    },
  });
  expect(JSON.stringify(schema)).not.toMatch(
    /\$ref|\$defs|pattern|additionalProperties|default|minLength|exclusive/,
  );
});

// Bug: one tool whose schema referred to itself eight times made each request to Gemini 3.5 MB large.
test("a schema that refers to itself stays small, and says what it can", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const $defs = Object.fromEntries(
    names.map((own) => [
      own,
      {
        type: "object",
        description: own,
        properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
      },
    ]),
  );
  const schema = geminiSchema({ $defs, type: "object", properties: { root: { $ref: "#/$defs/a" } } });
  expect(JSON.stringify(schema).length).toBeLessThan(100_000);
  expect(schema).toMatchObject({
    properties: {
      root: {
        type: "object",
        description: "a",
        properties: { a: { type: "object" }, b: { properties: { a: { type: "object" } } } },
      },
    },
  });
});
