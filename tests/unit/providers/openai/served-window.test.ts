import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../../electron/agent/ports/ports.ts";
import { servedWindow } from "../../../../electron/providers/openai/served-window.ts";
import { askedProvider, asks, chatReply, requestFor } from "../../../fakes/asked-provider.ts";

/** A server that knows these addresses alone. */
const answers = (known: Readonly<Record<string, unknown>>) => async (url: string) => {
  const path = url.replace("http://here:1", "");
  if (!(path in known)) throw new Error(`404 ${path}`);
  return known[path];
};

const windowOf = (known: Readonly<Record<string, unknown>>, isLocal = true) =>
  servedWindow("http://here:1/v1", "small", { ask: answers(known), isLocal });

describe("the window that a server gives a model", () => {
  const shown = { model_info: { "llama.context_length": 131_072 }, parameters: 'stop "x"\nnum_ctx 16384\n' };
  const unset = { model_info: { "llama.context_length": 131_072 } };
  const loaded = (name: string) => ({ models: [{ name, context_length: 8192 }] });
  const listed = (more: object) => ({
    data: [
      { id: "other", context_length: 5 },
      { id: "small", ...more },
    ],
  });

  test.each<[string, Readonly<Record<string, unknown>>, number | null]>([
    ["Ollama, loaded", { "/api/ps": loaded("small:latest"), "/api/show": shown }, 8192],
    ["Ollama, set for the model", { "/api/ps": loaded("other"), "/api/show": shown }, 16_384],
    ["Ollama, by default", { "/api/ps": { models: [] }, "/api/show": unset, "/v1/models": listed({}) }, 4096],
    [
      "Ollama, a model that takes less",
      { "/api/ps": { models: [] }, "/api/show": { model_info: { "x.context_length": 2048 } } },
      2048,
    ],
    ["llama.cpp", { "/props": { default_generation_settings: { n_ctx: 2048 } } }, 2048],
    [
      "LM Studio",
      { "/api/v0/models/small": { loaded_context_length: 6000, max_context_length: 90_000 } },
      6000,
    ],
    ["vLLM", { "/v1/models": listed({ max_model_len: 12_000 }) }, 12_000],
    ["Groq", { "/v1/models": listed({ context_window: 131_072 }) }, 131_072],
    ["nobody who tells", { "/v1/models": listed({}) }, null],
    ["nobody who answers", {}, null],
  ])("%s: %#", async (_server, known, expected) => {
    expect(await windowOf(known)).toBe(expected);
  });

  test("is asked of a server elsewhere by its list alone", async () => {
    const known = { "/props": { default_generation_settings: { n_ctx: 2048 } } };
    expect(await windowOf(known, false)).toBeNull();
    expect(await windowOf({ ...known, "/v1/models": listed({ context_length: 64_000 }) }, false)).toBe(
      64_000,
    );
  });
});

describe("a provider whose model nobody knows", () => {
  const gone = new AbortController().signal;
  const at = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://router.example/v1" };
  const list = (length: number) => ({ json: { data: [{ id: "made/up-1", context_length: length }] } });
  const tool: Tool = {
    ...{ name: "look", description: "", input: z.object({}), effect: "read" },
    run: async () => ({ text: "" }),
  };

  test("asks its server once, and keeps to what that says", async () => {
    const { provider, bodies } = askedProvider(at, [list(9000)]);
    expect(provider.modelFacts("made/up-1").contextWindow).toBe(32_000);
    await provider.learnWindow?.("made/up-1", gone);
    await provider.learnWindow?.("made/up-1", gone);
    expect(provider.modelFacts("made/up-1").contextWindow).toBe(9000);
    expect(bodies).toHaveLength(1);
  });

  test("asks nobody where the user said it, or where the model is known", async () => {
    const set = askedProvider(at, [list(9000)], { contextWindow: 20_000 });
    await set.provider.learnWindow?.("made/up-2", gone);
    expect(set.provider.modelFacts("made/up-2").contextWindow).toBe(20_000);
    const known = askedProvider(at, [list(9000)]);
    await known.provider.learnWindow?.("openai/gpt-5", gone);
    expect([...set.bodies, ...known.bodies]).toEqual([]);
  });

  test("says once that it guesses, where a conversation is asked", async () => {
    const { provider } = askedProvider(at, [chatReply({ content: "Yes." })]);
    const request = requestFor("made/up-3", [asks("Hi")], { tools: [tool] });
    const told = async (tools: typeof request.tools) => {
      const notices: string[] = [];
      for await (const event of provider.stream({ ...request, tools }, gone))
        if (event.type === "notice") notices.push(event.text);
      return notices;
    };
    expect(await told([])).toEqual([]);
    expect(await told(request.tools)).toEqual([
      expect.stringContaining("keeps conversations below 32,000 tokens"),
    ]);
    expect(await told(request.tools)).toEqual([]);
  });

  test("asks another server than OpenAI's for no model of OpenAI's", () => {
    expect(askedProvider(at, []).provider.resolveModel("haiku")).toBe("haiku");
    expect(askedProvider({ OPENAI_API_KEY: "k" }, []).provider.resolveModel("haiku")).toBe("gpt-5-nano");
  });
});
