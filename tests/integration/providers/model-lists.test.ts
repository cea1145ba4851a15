import { afterEach, describe, expect, test } from "vitest";
import { ModelLists } from "../../../electron/providers/model-lists.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { apis, createProviderRig, type ProviderRig } from "./provider-rig.ts";

const rigs: ProviderRig[] = [];
afterEach(async () => {
  for (const { server } of rigs.splice(0)) await server.close();
});

const ids = { anthropic: "claude-opus-5-5", openai: "gpt-5-mini", gemini: "gemini-3.8-flash" };

describe.each(apis)("the list of $id", (api) => {
  async function setUp() {
    const rig = await createProviderRig(api);
    rigs.push(rig);
    const account = { key: "one" };
    const lists = new ModelLists({
      clock: rig.clock,
      newProvider: () => rig.provider,
      account: () => account,
    });
    const list = () => lists.of(defaultSettings, new AbortController().signal);
    return { ...rig, lists, list, account };
  }

  test("has what answers prompts, and is asked once in some minutes", async () => {
    const { server, list, account, clock } = await setUp();
    server.offers([ids[api.id], "text-embedding-3", "gpt-4o-audio-preview"]);
    expect((await list())?.map(({ id }) => id)).toEqual([ids[api.id]]);
    await list();
    expect(server.listings).toBe(1);
    account.key = "two";
    await list();
    expect(server.listings).toBe(2);
    await clock.sleep(6 * 60_000);
    await list();
    expect(server.listings).toBe(3);
  });

  // Bug: models with "instruct" in their names, and such as olive-7b, were in no menu, and /model refused them.
  test("has what only sounds like another use", async () => {
    const { server, list } = await setUp();
    const others = ["tts-1", "veo-3.0", "aqa", "gemini-2.0-flash-live-001", "gpt-4o-search-preview"];
    const models = [
      "qwen2.5-7b-instruct",
      "moonshotai/kimi-k2-instruct-0905",
      "llama-3.3-70b-instruct",
      "olive-7b",
      "deliverance",
      "research-8b",
    ];
    server.offers([...others, ...models, "gpt-3.5-turbo-instruct"]);
    expect((await list())?.map(({ id }) => id)).toEqual(models);
  });

  test("that cannot be had is an error in words, and is asked for again", async () => {
    const { server, list } = await setUp();
    server.offers(null);
    await expect(list()).rejects.toMatchObject({ name: "ModelError", code: "server" });
    server.offers([ids[api.id]]);
    expect(await list()).toHaveLength(1);
  });

  test("nobody waits for any more is not asked for", async () => {
    const { lists } = await setUp();
    const gone = new AbortController();
    gone.abort(new Error("Closed."));
    await expect(lists.of(defaultSettings, gone.signal)).rejects.toThrow("Closed.");
  });
});
