import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProvider, describeProvider, keyApart } from "../../../electron/providers/create-provider.ts";
import type { PlacedVariables } from "../../../electron/providers/key-places.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";

const gateway = "https://gateway.example";

/** Where each of the two names leads: the provider's own, and the other address. */
let maker: ModelServer;
let other: ModelServer;
beforeEach(async () => {
  maker = await createModelServer();
  other = await createModelServer();
});
afterEach(() => Promise.all([maker.close(), other.close()]));

type Given = { settings?: Partial<Settings> } & Partial<
  Record<keyof PlacedVariables, Record<string, string>>
>;

function given({ settings, environment = {}, app = {}, file = {} }: Given) {
  const places: PlacedVariables = { environment, app, file };
  const env = { ...file, ...app, ...environment };
  return { settings: { ...defaultSettings, ...settings }, env, places };
}

/** Says hello. @returns the key that each of the two was sent */
async function sent(what: Given): Promise<{ maker: unknown[]; other: unknown[] }> {
  const { settings, env, places } = given(what);
  const mapped: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const there =
      url.origin === gateway ? other.url : url.hostname === "api.anthropic.com" ? maker.url : null;
    return await fetch(there === null ? url : new URL(url.pathname + url.search, there), init);
  };
  const parts = { clock: new InstantClock(), newId: () => "id", env, places, fetch: mapped };
  const question = { system: "", messages: [hello], maxTokens: 10, model: "opus", temperature: 1, tools: [] };
  await createProvider(settings, parts).complete(question, new AbortController().signal);
  const keysOf = ({ requests }: ModelServer) =>
    requests.map(
      ({ headers }) => headers["x-api-key"] ?? String(headers.authorization).replace("Bearer ", ""),
    );
  return { maker: keysOf(maker), other: keysOf(other) };
}
const hello = { role: "user" as const, content: [{ type: "text" as const, text: "hello" }] };

const key = { ANTHROPIC_API_KEY: "the-key" };
const address = { ANTHROPIC_BASE_URL: gateway };

describe("a key goes to an address from the same place", () => {
  test.each<[string, Given]>([
    ["both in the environment", { environment: { ...key, ...address } }],
    ["both in the user's own .env", { file: { ...key, ...address } }],
    ["typed into Parley, and Parley's settings", { app: key, settings: { anthropicBaseUrl: gateway } }],
    [
      "of several keys the one beside it",
      { environment: { ...key, ...address }, app: { ANTHROPIC_AUTH_TOKEN: "t" } },
    ],
    [
      "also where one of another place goes before it",
      { app: key, environment: { ANTHROPIC_API_KEY: "e" }, settings: { anthropicBaseUrl: gateway } },
    ],
  ])("%s", async (_, what) => {
    expect(await sent(what)).toEqual({ maker: [], other: ["the-key"] });
  });

  test("and to the provider's own from any", async () => {
    const own = { ANTHROPIC_BASE_URL: "https://api.anthropic.com" };
    expect((await sent({ app: key })).maker).toHaveLength(1);
    expect((await sent({ app: key, environment: own })).maker).toHaveLength(2);
    expect(other.requests).toEqual([]);
  });

  test("and to this computer from any", async () => {
    expect(await sent({ app: key, environment: { ANTHROPIC_BASE_URL: other.url } })).toMatchObject({
      other: ["the-key"],
    });
  });
});

describe("a key does not go by itself to an address from elsewhere", () => {
  const apart: [string, Given, string][] = [
    ["typed, and the environment", { app: key, environment: address }, "Parley's settings"],
    ["the user's .env, and the environment", { file: key, environment: address }, "your .env file"],
    ["the environment, and the user's .env", { environment: key, file: address }, "the environment"],
    [
      "the environment, and the settings",
      { environment: key, settings: { anthropicBaseUrl: gateway } },
      "the environment",
    ],
  ];

  test.each(apart)(
    "%s: neither the key nor a prompt is sent, and what to do is said",
    async (_, what, from) => {
      await expect(sent(what)).rejects.toMatchObject({
        code: "auth",
        message: expect.stringContaining(
          `The key ANTHROPIC_API_KEY of ${from} is not sent to gateway.example`,
        ),
        hint: expect.stringMatching(
          /agree in the notice.* or (set|type) .*Otherwise remove (ANTHROPIC_BASE_URL|anthropicBaseUrl)/,
        ),
      });
      expect([...maker.requests, ...other.requests]).toEqual([]);
      const { settings, env, places } = given(what);
      // Whatever else has a key is not taken in its place, and the header says where it would go.
      const description = describeProvider(settings, { ...env, OPENAI_API_KEY: "k" }, () => null, {}, places);
      expect(description).toMatchObject({
        provider: "anthropic",
        modelLabel: "Key not sent to gateway.example",
      });
    },
  );

  test.each(apart)("%s: with the user's yes it is, to this address and no other", async (_, what) => {
    const { settings, env, places } = given(what);
    const id = keyApart(settings, env, () => null, {}, places)?.id ?? "";
    const agreed = { ...what, settings: { ...what.settings, keyAddresses: [id] } };
    expect(await sent(agreed)).toEqual({ maker: [], other: ["the-key"] });
    const elsewhere: Given = JSON.parse(JSON.stringify(what).replace(gateway, "https://third.example"));
    elsewhere.settings = { ...elsewhere.settings, keyAddresses: [id] };
    await expect(sent(elsewhere)).rejects.toMatchObject({ code: "auth" });
  });

  test.each([
    ["openai", "OPENAI"],
    ["gemini", "GEMINI"],
  ] as const)("of %s neither", async (provider, name) => {
    const environment = { [`${name}_BASE_URL`]: gateway };
    const what = { settings: { provider }, app: { [`${name}_API_KEY`]: "k" }, environment };
    await expect(sent(what)).rejects.toMatchObject({ code: "auth" });
    expect(other.requests).toEqual([]);
  });
});
