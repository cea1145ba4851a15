import { expect, test } from "vitest";
import { askedProvider } from "../../../fakes/asked-provider.ts";

const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://api.together.example/v1" };

const listOf = (json: unknown) =>
  askedProvider(env, [{ json }]).provider.listModels(new AbortController().signal);

test("models come in an object's `data`", async () => {
  expect(await listOf({ object: "list", data: [{ id: "a" }, { name: "no id" }, { id: "b" }] })).toEqual([
    { id: "a" },
    { id: "b" },
  ]);
});

// Bug: the menu had no models of Together, and /model refused every name.
test("a bare list is one, too", async () => {
  expect(await listOf([{ id: "a" }, { id: "b" }])).toEqual([{ id: "a" }, { id: "b" }]);
});

// Bug: where a server had no list, /model refused every name.
test.each([[{ object: "list", data: null }], [{ models: [] }], ["Hello."], [null]])(
  "%j is no list: nothing is known, not nothing there",
  async (json) => {
    expect(await listOf(json)).toBeNull();
  },
);
