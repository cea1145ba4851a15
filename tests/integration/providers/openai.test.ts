import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { textOf } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { images } from "../../fixtures/images.ts";
import {
  type Api,
  answered,
  apis,
  callsOf,
  createProviderRig,
  prompt,
  providerFor,
  replyTo,
  requestOf,
  script,
} from "./provider-rig.ts";

/** What only Chat Completions brings along: servers that speak it each in their own way. */

const data = images.png.toString("base64");

const servers: Pick<ModelServer, "close">[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const api: Api = apis.find(({ id, api }) => id === "openai" && !api) ?? fail();
function fail(): never {
  throw new Error("There is no such API.");
}

async function setUp(settings: Partial<Settings> = {}, protocol = openaiProtocol()) {
  const rig = await createProviderRig(api, settings, protocol);
  servers.push(rig.server);
  return rig;
}

const calls = [
  { name: "look", input: { path: "a" } },
  { name: "look", input: { path: "b" } },
  { name: "plain", input: {} },
];

describe("servers that speak only alike", () => {
  test.each([
    [["no-ids"]],
    [["no-ids", "same-index"]],
    [["no-ids", "no-index"]],
    [["same-ids", "same-index"]],
    [["no-usage"]],
    [["whole", "finish-stop"]],
    [["as-object", "nulls"]],
    [["same-ids"]],
  ])("%j: the calls arrive, and two rounds of them stay apart", async (quirks) => {
    const { provider } = await setUp();
    let messages = [prompt(script("loop", { rounds: 2, calls, quirks }))];
    for (let round = 0; round < 2; round++) {
      const { message } = await replyTo(provider, requestOf(messages));
      expect(message.stopReason).toBe("tool_use");
      expect(callsOf(message).map(({ name, input }) => ({ name, input }))).toEqual(calls);
      messages = answered(messages, message);
    }
    const ids = messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
    );
    expect(new Set(ids).size).toBe(6);
    expect((await replyTo(provider, requestOf(messages))).shown).toBe("Done after 2 rounds.");
  });

  test("usage that comes before the last chunk counts", async () => {
    const { provider } = await setUp();
    const asked = script("text", { usage: { output: 40 }, quirks: ["usage-early"] });
    const { message } = await replyTo(provider, requestOf([prompt(asked)]));
    expect(message.usage).toMatchObject({ outputTokens: 40 });
  });

  test("without usage nothing is counted", async () => {
    const { provider } = await setUp();
    const { message } = await replyTo(
      provider,
      requestOf([prompt(script("text", { quirks: ["no-usage"] }))]),
    );
    expect(message.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  test.each(["temperature", "max_tokens", "stream_options"])(
    "one that refuses %s is asked without it, at once and from then on",
    async (name) => {
      const { provider, server, clock } = await setUp(
        { model: `model-${name}` },
        openaiProtocol({ refuses: [name] }),
      );
      const request = requestOf([prompt("Hi")], { model: `model-${name}`, temperature: 0.5 });
      expect((await replyTo(provider, request)).shown).toBe("Hi");
      expect((await replyTo(provider, request)).shown).toBe("Hi");
      expect(server.requests).toHaveLength(2);
      expect(clock.slept).toEqual([]);
      expect(server.requests[0]?.raw).not.toHaveProperty(name);
      if (name === "max_tokens")
        expect(server.requests[0]?.raw).toHaveProperty("max_completion_tokens", 1000);
    },
  );

  test("one that wants no key gets none", async () => {
    const server = await createModelServer(openaiProtocol());
    servers.push(server);
    const keyless = { ...api, env: (url: string) => ({ OPENAI_BASE_URL: `${url}/v1/` }) };
    expect((await replyTo(providerFor(keyless, server), requestOf([prompt("Hi")]))).shown).toBe("Hi");
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("a connection whose server said [DONE]", () => {
  const reply = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n';

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push({ close: async () => void server.close().closeAllConnections() });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  // Bug: a server that kept it open held up the reply until the watchdog came.
  test("holds nothing up where it stays open, and is closed", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await serve((request, response) => {
      closed.push(once(request.socket, "close"));
      response.writeHead(200, { "content-type": "text/event-stream" }).write(reply);
    });
    const provider = providerFor(api, { url }, { model: "keeps-open" });
    for (const _ of [1, 2]) expect((await replyTo(provider, requestOf([prompt("Hi")]))).shown).toBe("Hi");
    expect(closed).toHaveLength(2);
    await Promise.all(closed);
  });

  test("serves the next request where its end comes a little later", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(reply, () => setImmediate(() => response.end()));
    });
    const provider = providerFor(api, { url }, { model: "ends-later" });
    for (const _ of [1, 2]) expect((await replyTo(provider, requestOf([prompt("Hi")]))).shown).toBe("Hi");
    expect(ports.size).toBe(1);
  });
});

describe("the request", () => {
  test("carries the key, the system prompt first, and no temperature where the model refuses it", async () => {
    const { provider, server } = await setUp();
    await replyTo(provider, requestOf([prompt("Hi")], { model: "gpt-5", temperature: 0.2 }));
    await replyTo(provider, requestOf([prompt("Hi there")], { model: "llama3", temperature: 0.2 }));
    const [gpt, llama] = server.requests;
    expect(gpt?.headers.authorization).toBe("Bearer the-key");
    expect(gpt?.body.system).toBe("Be brief.");
    expect(gpt?.raw).not.toHaveProperty("temperature");
    expect(llama?.raw).toMatchObject({ model: "llama3", temperature: 0.2 });
  });

  test("a model that takes no images says so once, and from then on gets them by name", async () => {
    const { provider, server } = await setUp(
      { model: "blind-model" },
      openaiProtocol({ refuses: ["image_url"] }),
    );
    const source = { type: "base64" as const, media_type: "image/png" as const, data };
    const content = [
      { type: "image" as const, source },
      { type: "text" as const, text: "What is it?" },
    ];
    const request = requestOf([{ role: "user", content }], { model: "blind-model" });
    await expect(replyTo(provider, request)).rejects.toMatchObject({
      code: "invalid_request",
      message: "blind-model can't take images.",
      hint: expect.stringContaining("Choose a model that can."),
    });
    await replyTo(provider, request);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.raw)).toContain("[An image, which this model cannot see.]");
    expect(JSON.stringify(server.requests[0]?.raw)).toContain("What is it?");
  });

  test("images go as data addresses beside the text", async () => {
    const { provider, server } = await setUp();
    const source = { type: "base64" as const, media_type: "image/png" as const, data };
    const content = [
      { type: "image" as const, source },
      { type: "text" as const, text: "What is it?" },
    ];
    await replyTo(provider, requestOf([{ role: "user", content }]));
    expect(JSON.stringify(server.requests[0]?.raw)).toContain(`"url":"data:image/png;base64,${data}"`);
  });

  test("a call whose arguments are no JSON reaches the tool's validation, and the history stays valid", async () => {
    const { provider } = await setUp();
    const messages = [
      prompt("Hello"),
      {
        role: "assistant" as const,
        content: [{ type: "tool_use" as const, id: "x", name: "look", input: '{"pa' }],
      },
      {
        role: "user" as const,
        content: [
          { type: "tool_result" as const, tool_use_id: "x", content: "no JSON", is_error: true },
          { type: "text" as const, text: "Go on" },
        ],
      },
    ];
    expect((await replyTo(provider, requestOf(messages))).shown).toBe("Go on");
  });
});

describe("another provider in mid-conversation", () => {
  const nameOf = ({ id, api: way }: Api) => way ?? id;
  const others = apis.flatMap((from) =>
    apis.filter((to) => to !== from).map((to) => [`${nameOf(from)} → ${nameOf(to)}`, from, to] as const),
  );

  test.each(others)("%s: the history stays valid", async (_, from, to) => {
    const first = await createProviderRig(from);
    const second = await createProviderRig(to);
    servers.push(first.server, second.server);
    const asked = script("thinking", { calls, say: "Looking." });
    const { message } = await replyTo(first.provider, requestOf([prompt(asked)]));
    // A tool that the model made up, with an id that not every API takes.
    const odd = { type: "tool_use" as const, id: "an id: 1/2", name: "make it.so!", input: "text" };
    const messages = answered([prompt(asked)], { ...message, content: [...message.content, odd] });
    const next = await replyTo(
      second.provider,
      requestOf(messages, { model: to.id === "gemini" ? "gemini-3-pro" : "opus" }),
    );
    expect(next.shown).toContain("Results: look got");
    // And back, with what the second one said.
    const back = [
      ...messages,
      { role: "assistant" as const, content: next.message.content },
      prompt("Thanks"),
    ];
    expect(textOf((await replyTo(first.provider, requestOf(back))).message.content)).toBe("Thanks");
  });
});
