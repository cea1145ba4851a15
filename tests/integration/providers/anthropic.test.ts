import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import type { ModelStreamEvent } from "../../../electron/agent/ports/ports.ts";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { FakeClock, InstantClock } from "../../fakes/clock.ts";
import { createModelServer } from "../../fakes/model-server/model-server.ts";
import {
  conversationForEachTest,
  eventsOf,
  expectSoundStream,
  nextEvent,
  ofType,
  replyIn,
  typed,
} from "../agent/agent-rig.ts";
import { apis, createProviderRig, prompt, replyTo, requestOf } from "./provider-rig.ts";

const anthropic = apis.find(({ id }) => id === "anthropic") ?? missing();
function missing(): never {
  throw new Error("There is no such API.");
}

const setUp = conversationForEachTest();
const script = (name: string, args: object = {}) =>
  typed(`Please [[script:${name} ${JSON.stringify(args)}]]`);
const outcome = (events: Parameters<typeof ofType>[0]) => ofType(events, "run.ended")[0];

describe("what passes is tried again", () => {
  test.each([
    [429, "rate limit"],
    [500, "internal error"],
    [503, "internal error"],
    [529, "overloaded"],
  ])("status %i: said with a retry event, then answered", async (code, reason) => {
    const { conversation, server } = await setUp();
    const events = await eventsOf(conversation.submit(script("status", { code, times: 2 })));
    expect(ofType(events, "retry").map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 1000],
      [2, 2000],
    ]);
    expect(ofType(events, "retry")[0]?.reason).toContain(reason);
    expect(ofType(events, "stream.reset")).toEqual([]);
    expect(replyIn(events)).toBe("Please");
    expect(server.requests.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test("waits as long as Retry-After says", async () => {
    const clock = new InstantClock();
    const { conversation } = await setUp({ clock });
    const events = await eventsOf(conversation.submit(script("status", { code: 429, retryAfter: "7" })));
    expect(ofType(events, "retry")[0]?.delayMs).toBe(7000);
    expect(clock.slept[0]).toBe(7000);
  });

  test("the user ends the wait: the request goes out at once", async () => {
    const clock = new FakeClock();
    const { conversation, server } = await setUp({ clock });
    const run = eventsOf(conversation.submit(script("status", { code: 429, retryAfter: "7" })));
    await clock.sleeping(7000);
    conversation.tryNow();
    const events = await run;
    expect(ofType(events, "retry").map(({ delayMs }) => delayMs)).toEqual([7000, 0]);
    expect(replyIn(events)).toBe("Please");
    expect(server.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  // Bug: while the next request was on its way, and even during its reply, it said that the last wait was over.
  test("whoever ends a wait that has ended by itself changes nothing", async () => {
    const { conversation } = await setUp();
    conversation.subscribe(({ type }) => type === "text.delta" && conversation.tryNow());
    const events = await eventsOf(conversation.submit(script("status", { code: 429 })));
    expect(ofType(events, "retry")).toHaveLength(1);
  });

  test("a Retry-After above the cap ends the run at once and says when to try again", async () => {
    const { conversation, server } = await setUp();
    const events = await eventsOf(conversation.submit(script("status", { code: 429, retryAfter: "600" })));
    expect(outcome(events)).toMatchObject({
      stopReason: "error",
      error: { code: "rate_limit", hint: expect.stringContaining("10 minutes") },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("gives up after retryMax, and the same prompt can be asked again without standing there twice", async () => {
    const { conversation, server } = await setUp({ settings: { retryMax: 2 } });
    const events = await eventsOf(conversation.submit(script("status", { code: 529, times: 3 })));
    expect(ofType(events, "retry")).toHaveLength(2);
    expect(outcome(events)).toMatchObject({ stopReason: "error", error: { code: "overloaded" } });
    expect(conversation.view().items.at(-1)).toMatchObject({ kind: "error", canRetry: true });

    const again = await eventsOf(conversation.retry());
    expect(replyIn(again)).toBe("Please");
    expect(conversation.history.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(server.requests.at(-1)?.body.messages).toHaveLength(1);
    expect(conversation.retry().inputId).toBeNull();
  });

  test.each([
    ["overloaded", {}],
    ["cut", {}],
    ["cut", { clean: true }],
    ["malformed", {}],
  ])("%s %j in mid-stream: the text so far is void, and nothing is shown twice", async (name, args) => {
    const { conversation, server } = await setUp();
    const submission = conversation.submit(script(name, { words: 5, hold: "fault", ...args }));
    await nextEvent(conversation, (event) => event.type === "text.delta" && event.text === " word-2");
    server.release("fault");
    const events = await eventsOf(submission);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === "retry" || type === "stream.reset")).toEqual([
      "retry",
      "stream.reset",
    ]);
    expect(types.indexOf("text.delta")).toBeLessThan(types.indexOf("stream.reset"));
    expectSoundStream(events);
    expect(replyIn(events)).toBe("word-1 word-2 word-3 word-4 word-5");
    const shown = conversation.view().items.filter(({ kind }) => kind === "assistant");
    expect(shown).toMatchObject([{ text: "word-1 word-2 word-3 word-4 word-5" }]);
  });

  test("a stream that stays broken ends with an error, no half text, and a history that works", async () => {
    const { conversation } = await setUp({ settings: { retryMax: 1 } });
    const events = await eventsOf(conversation.submit(script("cut", { times: -1 })));
    expect(outcome(events)).toMatchObject({ stopReason: "error", error: { code: "network" } });
    expectSoundStream(events);
    expect(conversation.view().items.map(({ kind }) => kind)).toEqual(["user", "error"]);
    expect(replyIn(await eventsOf(conversation.submit(typed("Next"))))).toBe("Next");
  });

  test("an abort ends the wait before the next try", async () => {
    const clock = new FakeClock();
    const { conversation, server } = await setUp({ clock });
    const submission = conversation.submit(script("status", { code: 529, times: -1 }));
    await clock.sleeping(1000);
    conversation.abort();
    expect(outcome(await eventsOf(submission))?.stopReason).toBe("interrupted");
    expect(server.requests).toHaveLength(1);
  });
});

test.each([
  [401, "ANTHROPIC_API_KEY"],
  [403, undefined],
  [404, undefined],
])("status %i names the key to change: %s", async (code, keyVariable) => {
  const { conversation } = await setUp();
  const events = await eventsOf(conversation.submit(script("status", { code, times: -1 })));
  expect(outcome(events)?.error?.keyVariable).toBe(keyVariable);
});

test.each([{ code: 402 }, { code: 400, message: "Your credit balance is too low to access the API." }])(
  "an account without credit is called so, and is not asked again: %o",
  async (args) => {
    const { conversation, server } = await setUp();
    const events = await eventsOf(conversation.submit(script("status", { ...args, times: -1 })));
    expect(outcome(events)?.error).toMatchObject({
      code: "no_credit",
      hint: expect.stringContaining("Add credit"),
    });
    expect(server.requests).toHaveLength(1);
    // By another model it can be: the window offers that, and no second try with this one.
    expect(conversation.view().items.at(-1)).toMatchObject({ kind: "error", canRetry: true });
  },
);

describe("what cannot pass is said at once", () => {
  test.each([
    [401, "auth", "refused the key", "ANTHROPIC_API_KEY"],
    [403, "auth", "denied access", "ANTHROPIC_API_KEY"],
    [404, "not_found", "does not know the model", "opus, sonnet, haiku"],
    [400, "invalid_request", "Scripted error.", "then try again"],
    // With nothing before the prompt there is nothing to sum up.
    [413, "context_length", "too long for the model", "Start a new conversation"],
  ])("status %i", async (code, errorCode, message, hint) => {
    const { conversation, server } = await setUp();
    const events = await eventsOf(conversation.submit(script("status", { code, times: -1 })));
    expect(ofType(events, "retry")).toEqual([]);
    expect(server.requests).toHaveLength(1);
    expect(outcome(events)?.error).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  test("nobody there: the address and what to check", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const address = closed.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const { conversation } = await setUp({ env, settings: { retryMax: 1 } });
    const events = await eventsOf(conversation.submit(typed("Hello")));
    expect(ofType(events, "retry")).toHaveLength(1);
    expect(outcome(events)?.error).toMatchObject({
      code: "network",
      message: `No connection to 127.0.0.1:${port}.`,
      hint: expect.stringContaining("network"),
    });
  });

  test("no key where Anthropic was chosen", async () => {
    const { conversation } = await setUp({ env: {}, settings: { provider: "anthropic" } });
    const events = await eventsOf(conversation.submit(typed("Hello")));
    expect(outcome(events)?.error).toMatchObject({
      code: "no_key",
      hint: expect.stringContaining("/key set anthropic"),
    });
  });
});

describe("a request that hangs", () => {
  const limits = { requestTimeoutMs: 600_000, streamIdleMs: 60_000, retryMax: 0 };

  test("in mid-stream ends after streamIdleMs of silence", async () => {
    const clock = new FakeClock();
    const { conversation, server } = await setUp({ clock, settings: limits });
    const submission = conversation.submit(script("text", { hold: "silence" }));
    await nextEvent(conversation, ({ type }) => type === "text.delta");
    await clock.sleeping(60_000);
    clock.advance(60_000);
    const events = await eventsOf(submission);
    expect(outcome(events)?.error).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("60 seconds"),
    });
    expect(await server.requests[0]?.finished).toBe(false);
  });

  test("before its answer begins ends after requestTimeoutMs", async () => {
    const clock = new FakeClock();
    // A server that takes the request and never answers.
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : 0;
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const { conversation } = await setUp({ clock, env, settings: limits });
    const submission = conversation.submit(typed("Hello"));
    await new Promise((resolve) => silent.once("request", resolve));
    clock.advance(600_000);
    expect(outcome(await eventsOf(submission))?.error).toMatchObject({ code: "timeout" });
    silent.closeAllConnections();
    silent.close();
  });
});

describe("the request", () => {
  async function sent(env: Record<string, string>, settings: Partial<Settings> = {}) {
    const server = await createModelServer();
    const provider = createProvider(
      { ...defaultSettings, requestTimeoutMs: 0, streamIdleMs: 0, ...settings },
      { clock: new InstantClock(), newId: () => "id", env: { ANTHROPIC_BASE_URL: server.url, ...env } },
    );
    const request = {
      model: settings.model ?? "opus",
      system: "Be brief.",
      messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }],
      tools: [],
      maxTokens: settings.maxTokens ?? 8192,
      temperature: settings.temperature ?? 1,
    };
    const events: ModelStreamEvent[] = [];
    for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
    await server.close();
    const [first] = server.requests;
    if (!first) throw new Error("No request arrived.");
    return first;
  }

  test("carries the key, and the token where both are set", async () => {
    const key = await sent({ ANTHROPIC_API_KEY: "the-key" });
    expect([key.headers["x-api-key"], key.headers.authorization].join()).toContain("the-key");
    const both = await sent({ ANTHROPIC_API_KEY: "the-key", ANTHROPIC_AUTH_TOKEN: "the-token" });
    expect(both.headers.authorization).toBe("Bearer the-token");
    expect(JSON.stringify(both.headers)).not.toContain("the-key");
  });

  test("says that an OAuth token is one; a gateway's token goes as it is", async () => {
    const oauth = await sent({ ANTHROPIC_AUTH_TOKEN: "sk-ant-oat01-abc" });
    expect(oauth.headers).toMatchObject({
      authorization: "Bearer sk-ant-oat01-abc",
      "anthropic-beta": expect.stringMatching(/^oauth-2025-04-20\b/),
    });
    const others: Record<string, string>[] = [
      { ANTHROPIC_AUTH_TOKEN: "gateway" },
      { ANTHROPIC_API_KEY: "k" },
    ];
    for (const env of others) {
      expect((await sent(env)).headers["anthropic-beta"]).not.toContain("oauth");
    }
  });

  test("asks for no more tokens than the model gives, and sends a temperature only where it is taken", async () => {
    const env = { ANTHROPIC_API_KEY: "k" };
    const wanted = { maxTokens: 1_000_000, temperature: 0.2 };
    const haiku = await sent(env, { model: "claude-haiku-4-5", ...wanted });
    expect(haiku.body).toMatchObject({ max_tokens: 64_000, temperature: 0.2 });
    const opus5 = await sent(env, { model: "claude-opus-5", ...wanted });
    expect(opus5.body).toMatchObject({ model: "claude-opus-5", max_tokens: 128_000 });
    expect(opus5.body.temperature).toBeUndefined();
  });

  test("goes to anthropicBaseUrl before ANTHROPIC_BASE_URL", async () => {
    const server = await createModelServer();
    const request = await sent(
      { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
      { anthropicBaseUrl: server.url, retryMax: 0 },
    ).catch(() => undefined);
    expect(request).toBeUndefined();
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  test("marks the cache after the tools, the system prompt and the newest message, and leaves the history as it is", async () => {
    const { provider, server } = await createProviderRig(anthropic);
    const messages = [
      prompt("One"),
      { role: "assistant" as const, content: prompt("Two").content },
      prompt("Three"),
    ];
    const before = JSON.stringify(messages);
    await replyTo(provider, requestOf(messages));
    await provider.complete(requestOf(messages), new AbortController().signal);
    await server.close();
    const [streamed, completed] = server.requests.map(({ raw }) => marksIn(raw));
    expect(streamed?.toSorted()).toEqual(["messages.2.content.0", "system.0", "tools.2"]);
    expect(completed).toEqual([]);
    expect(JSON.stringify(messages)).toBe(before);
  });

  test("leaves out thinking that led to nothing, as of a reply that was cut", async () => {
    const { provider, server } = await createProviderRig(anthropic);
    const thought = { type: "thinking" as const, thinking: "Hm.", signature: "signed-by-the-model" };
    const said = { role: "assistant" as const, content: [thought, ...prompt("Two").content] };
    const cut = { ...said, content: [...said.content, thought] };
    await replyTo(provider, requestOf([prompt("One"), cut, prompt("Three")]));
    await server.close();
    expect(server.requests[0]?.body.messages[1]).toEqual(said);
  });
});

/** Where cache marks stand. */
function marksIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "cache_control" ? [path] : marksIn(inner, path === "" ? key : `${path}.${key}`),
  );
}
