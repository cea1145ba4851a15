import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { testKey } from "../../../electron/providers/test-key.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { type Api, apis } from "./provider-rig.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const never = () => new AbortController().signal;

/** Keys from elsewhere count for less than the typed one. */
function tried(api: Api, url: string, key: string | null = "typed-key") {
  const file = api.env(url);
  const places = { environment: {}, app: {}, file };
  const options = {
    clock: systemClock,
    newId: () => "n1",
    env: file,
    places,
    settings: defaultSettings,
    ...(api.fetch && { fetch: api.fetch(url) }),
  };
  return testKey(api.id, key, options, never());
}

/** The Responses API is asked at OpenAI's own address only. */
const atOwnAddress = apis.filter(({ api }) => api === undefined);

describe.each(atOwnAddress)("a key of $id", (api) => {
  async function serverThat(unmarked = ""): Promise<ModelServer> {
    const server = await createModelServer(api.protocol());
    closing.push(() => server.close());
    server.answerUnmarked(unmarked);
    return server;
  }

  test("that counts is tried with one small request, and no other key is sent", async () => {
    const server = await serverThat();
    const { host } = new URL(server.url);
    expect(await tried(api, server.url)).toEqual({ ok: true, host, tookMs: expect.any(Number) });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(JSON.stringify(request?.headers)).toContain("typed-key");
    expect(JSON.stringify(request?.headers)).not.toContain("the-key");
  });

  test("without a typed one the key that counts now is tried", async () => {
    const server = await serverThat();
    expect(await tried(api, server.url, null)).toMatchObject({ ok: true });
    expect(JSON.stringify(server.requests[0]?.headers)).toContain("the-key");
  });

  test("of an own address is tried with a model that it has", async () => {
    const server = await serverThat();
    server.offers(["one-of-theirs"]);
    expect(await tried(api, server.url)).toMatchObject({ ok: true });
    expect(JSON.stringify(server.requests[0]?.raw) + server.requests[0]?.path).toContain("one-of-theirs");
  });

  test.each([
    [{ code: 401 }, "refused", /refused this key/],
    [{ code: 400, message: "Your credit balance is too low to access the API." }, "no_credit", /no credit/],
    [{ code: 429, times: -1 }, "limit", /accepts this key/],
    [{ code: 404 }, "wrong_address", /is not a model/],
  ])("answered with %j is %s, in words", async (args, problem, words) => {
    const server = await serverThat(`[[script:status ${JSON.stringify(args)}]]`);
    const answer = await tried(api, server.url);
    expect(answer).toMatchObject({ ok: false, problem, message: expect.stringMatching(words) });
    expect(server.requests).toHaveLength(1);
  });

  test("is not reached where nothing listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await tried(api, `http://127.0.0.1:${port}`)).toMatchObject({
      ok: false,
      problem: "wrong_address",
      message: `Nothing answers at 127.0.0.1:${port}.`,
    });
  });

  test("goes nowhere behind a broken address, nor to one from elsewhere", async () => {
    expect(await tried(api, "nonsense:")).toMatchObject({ ok: false, problem: "wrong_address" });
    const url = "https://elsewhere.example";
    expect(await tried(api, url)).toMatchObject({ ok: false, problem: "not_sent" });
  });
});

test("without a network a provider's own address is not reached", async () => {
  const offline = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } }));
  const none = { environment: {}, app: {}, file: {} };
  const options = {
    clock: systemClock,
    newId: () => "n1",
    env: {},
    places: none,
    settings: defaultSettings,
  };
  expect(await testKey("openai", "sk-typed", { ...options, fetch: offline }, never())).toMatchObject({
    ok: false,
    problem: "no_network",
    message: "OpenAI cannot be reached.",
  });
  expect(await testKey("openai", null, options, never())).toMatchObject({ ok: false, problem: "missing" });
});

test("a key of OpenAI's own is tried as its models are asked", async () => {
  const responses = apis.find(({ api }) => api === "responses");
  if (!responses) throw new Error("no Responses API");
  const server = await createModelServer(responses.protocol());
  closing.push(() => server.close());
  expect(await tried(responses, server.url)).toMatchObject({ ok: true, host: "OpenAI" });
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(server.requests[0]?.headers)).toContain("typed-key");
  server.answerUnmarked('[[script:status {"code":401,"times":-1}]]');
  expect(await tried(responses, server.url)).toMatchObject({ ok: false, problem: "refused" });
});
