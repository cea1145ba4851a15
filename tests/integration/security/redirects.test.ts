import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ModelRequest } from "../../../electron/agent/ports/ports.ts";
import { modelFetch } from "../../../electron/desktop/net/model-fetch.ts";
import { httpFetch } from "../../../electron/providers/anthropic/http-fetch.ts";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import { findLocalServer } from "../../../electron/providers/local-server.ts";
import { systemClock } from "../../../electron/stt-server/clock.ts";
import { downloadFile } from "../../../electron/stt-server/models/download.ts";
import { fetchPage } from "../../../electron/tools/web/web-request.ts";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
import { withoutCredentials } from "../../../shared/safety/redirects.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { createTwoHosts, type TwoHosts } from "../../fakes/net/two-hosts.ts";
import { createMcpRig } from "../mcp/mcp-rig.ts";

const statuses = [301, 302, 303, 307, 308];
const secret = "the-secret-9f2c";
/** One of each kind that a client here sends. */
const secretHeaders = {
  authorization: `Bearer ${secret}`,
  "x-api-key": secret,
  "x-goog-api-key": secret,
  cookie: `session=${secret}`,
  "proxy-authorization": `Basic ${secret}`,
  "x-our-own": secret,
};

let hosts: TwoHosts;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-redirects-"));
});
afterEach(async () => {
  await hosts.close();
  rmSync(folder, { recursive: true });
});

const request: ModelRequest = {
  model: "some-model",
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: `a prompt with ${secret}` }] }],
  tools: [],
  maxTokens: 10,
  temperature: 1,
};

const apis = [
  ["anthropic", (url: string) => ({ ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: url })],
  ["anthropic", (url: string) => ({ ANTHROPIC_AUTH_TOKEN: secret, ANTHROPIC_BASE_URL: url })],
  ["openai", (url: string) => ({ OPENAI_API_KEY: secret, OPENAI_BASE_URL: `${url}/v1` })],
  ["gemini", (url: string) => ({ GEMINI_API_KEY: secret, GEMINI_BASE_URL: url })],
] as const;

/** The built-in client stands for Electron's: left to itself it follows, too. */
const bySystem = modelFetch({
  direct: () => {
    const cause = Object.assign(new Error("unknown"), { code: "SELF_SIGNED_CERT_IN_CHAIN" });
    return Promise.reject(new TypeError("fetch failed", { cause }));
  },
  system: fetch,
  resolveProxy: async () => "DIRECT",
  clock: systemClock,
  log: () => {},
});
const direct = modelFetch({
  direct: httpFetch,
  system: fetch,
  resolveProxy: async () => "DIRECT",
  clock: systemClock,
  log: () => {},
});
const ways: [string, typeof fetch | undefined][] = [
  ["by itself", undefined],
  ["directly", direct],
  ["as the system goes", bySystem],
];
const models = apis.flatMap(([provider, env]) =>
  ways.flatMap(([way, ownFetch]) =>
    statuses.map((status) => ({ provider, env, way, ownFetch, status, names: Object.keys(env("")).join() })),
  ),
);

describe("a model's address that redirects to another host", () => {
  test.each(models)("$names $way, $status: the other host hears nothing, and the user why", async (one) => {
    hosts = await createTwoHosts(one.status);
    const limits = { requestTimeoutMs: 0, streamIdleMs: 0, retryMax: 2 };
    const provider = createProvider(
      { ...defaultSettings, ...limits, provider: one.provider },
      {
        clock: new InstantClock(),
        newId: () => "id",
        env: one.env(hosts.url),
        ...(one.ownFetch && { fetch: one.ownFetch }),
      },
    );
    const error = await provider
      .complete(request, new AbortController().signal)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining("does not follow that") });
    // Nothing that trying again would mend.
    expect(hosts.asked).toHaveLength(1);
    expect(hosts.received, attackCameThrough).toEqual([]);
  });
});

describe("an MCP server that redirects to another host", () => {
  const kinds = ["http", "sse"].flatMap((type) => statuses.map((status) => ({ type, status })));
  test.each(kinds)("$type, $status: the other host hears nothing, and the user why", async (one) => {
    hosts = await createTwoHosts(one.status);
    const entry = { url: `${hosts.url}/mcp`, type: one.type, headers: secretHeaders };
    const rig = createMcpRig({ servers: { web: entry } });
    await rig.manager.load();
    await rig.manager.settled();
    const { state, why } = rig.manager.server("web").status;
    expect([state, why]).toEqual(["failed", expect.stringContaining("redirects to http://localhost")]);
    expect(hosts.asked.length).toBeGreaterThan(0);
    expect(hosts.received, attackCameThrough).toEqual([]);
    await rig.close();
  });
});

describe.each(statuses)("a redirect to another host with %i", (status) => {
  beforeEach(async () => {
    hosts = await createTwoHosts(status, { answer: "the model" });
  });

  test("a download is followed there, with nothing that is secret", async () => {
    const file = { name: "model", url: `${hosts.url}/model`, bytes: 9, sha256: null, archive: null };
    const withSecrets: typeof fetch = (input, init) =>
      withoutCredentials(fetch)(input, { ...init, headers: { ...secretHeaders, Range: "bytes=0-" } });
    await downloadFile(file, join(folder, "model"), {
      fetch: withSecrets,
      clock: systemClock,
      signal: new AbortController().signal,
    });
    expect(hosts.asked[0]?.headers).toMatchObject({ "x-our-own": secret });
    expect(hosts.received).toMatchObject([{ headers: { range: "bytes=0-" } }]);
    expect(JSON.stringify(hosts.received), attackCameThrough).not.toContain(secret);
  });

  test("what has a body goes to no other host", async () => {
    const post = { method: "POST", body: secret, headers: secretHeaders };
    await withoutCredentials(fetch)(hosts.url, post).catch(() => {});
    expect(hosts.asked).toHaveLength(1);
    expect(JSON.stringify(hosts.received), attackCameThrough).not.toContain(secret);
  });

  test("the fast client refuses it, a request whose body is a stream, too", async () => {
    const post = { method: "POST", headers: secretHeaders };
    await expect(httpFetch(hosts.url, { ...post, body: secret })).rejects.toThrow("does not follow that");
    const body = new Blob([secret]).stream();
    const streamed = httpFetch(hosts.url, { ...post, body, duplex: "half" } as RequestInit);
    await expect(streamed).rejects.toThrow("does not follow that");
    await expect(httpFetch(new Request(hosts.url, { headers: secretHeaders }))).rejects.toThrow(
      "does not follow that",
    );
    expect(hosts.received, attackCameThrough).toEqual([]);
  });

  test("web_fetch stays on its host", async () => {
    const page = fetchPage(`${hosts.url}/page`, {
      isAllowed: () => true,
      signal: new AbortController().signal,
    });
    await expect(page).rejects.toThrow("leads to another host");
    expect(hosts.received, attackCameThrough).toEqual([]);
  });

  test("who looks for a model server on this computer is led nowhere", async () => {
    const port = Number(new URL(hosts.url).port);
    expect(await findLocalServer([{ name: "Ollama", port }])).toBeNull();
    expect(hosts.asked).toHaveLength(1);
    expect(hosts.received, attackCameThrough).toEqual([]);
  });
});
