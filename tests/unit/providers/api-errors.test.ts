import { describe, expect, test } from "vitest";
import { askedProvider, asks, requestFor } from "../../fakes/asked-provider.ts";

/** What the APIs answer, and what it is called. */

const server = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://server.example/v1" };
const claude = { ANTHROPIC_API_KEY: "k" };

async function failureOf(env: Record<string, string>, status: number, json: unknown) {
  const { provider, bodies } = askedProvider(env, [{ status, json }]);
  const asked = provider.complete(requestFor("some-model", [asks("Hello")]), new AbortController().signal);
  return { failure: await asked.catch((error: unknown) => error), tries: bodies.length };
}

describe("a prompt that is too long", () => {
  // Bug: at these a conversation that had grown too long ended in an error; no summary was made.
  test.each([
    [
      "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
      { code: "Client specified an invalid argument" },
    ],
    [
      "Your request exceeded model token limit: 262144 (requested: 291351)",
      { type: "invalid_request_error" },
    ],
    ["Input is too long for requested model.", {}],
    [
      "prompt token count of 133397 exceeds the limit of 128000",
      { code: "model_max_prompt_tokens_exceeded" },
    ],
  ])("%s", async (message, rest) => {
    const { failure, tries } = await failureOf(server, 400, { error: { message, ...rest } });
    expect(failure).toMatchObject({ code: "context_length" });
    expect(tries).toBe(1);
  });

  test("in xAI's form, a sentence in place of the error", async () => {
    const error = "This model's maximum prompt length is 131072 but the request contains 136973 tokens.";
    const { failure } = await failureOf(server, 400, { code: "Some code", error });
    expect(failure).toMatchObject({ code: "context_length", message: expect.stringContaining(error) });
  });

  test("in bytes, at Anthropic", async () => {
    const error = { type: "request_too_large", message: "Request exceeds the maximum size" };
    const { failure } = await failureOf(claude, 413, { type: "error", error });
    expect(failure).toMatchObject({ code: "context_length" });
  });

  test("is none where tokens of a minute are used up, and is one where it has more than a minute gives", async () => {
    const ofMinute = async (status: number, message: string) => {
      const error = { message, type: "tokens", code: "rate_limit_exceeded" };
      return (await failureOf(server, status, { error })).failure;
    };
    const used = "Rate limit reached on tokens per minute (TPM): Limit 6000, Used 5500, Requested 2000.";
    expect(await ofMinute(429, used)).toMatchObject({ code: "rate_limit" });
    // No minute has so many: to wait helps nobody.
    const large = "Request too large on tokens per minute (TPM): Limit 6000, Requested 8000.";
    expect(await ofMinute(413, large)).toMatchObject({ code: "context_length" });
  });
});

// Bug: it was said that a key did not work, but not whose, and one that was never sent was called wrong.
test.each([
  [claude, { code: "auth", message: "Anthropic refused the key.", keyVariable: "ANTHROPIC_API_KEY" }],
  [server, { code: "auth", message: "server.example refused the key.", keyVariable: "OPENAI_API_KEY" }],
  [
    { OPENAI_BASE_URL: server.OPENAI_BASE_URL },
    { code: "no_key", message: "server.example wants a key: No.", keyVariable: "OPENAI_API_KEY" },
  ],
])("a refused key is said to be whose: %j", async (env, expected) => {
  const error = { type: "authentication_error", message: "No." };
  const { failure, tries } = await failureOf(env, 401, { type: "error", error });
  expect(failure).toMatchObject(expected);
  expect(tries).toBe(1);
});

// Bug: whatever a server without a key said, it was said to want one, and nothing else.
test("an access that is denied without a key is told in the server's words", async () => {
  const { failure } = await failureOf({ OPENAI_BASE_URL: server.OPENAI_BASE_URL }, 403, {
    error: { message: "This region is not served.", type: "forbidden" },
  });
  const message = "server.example denied access: This region is not served.";
  expect(failure).toMatchObject({ code: "no_key", message, keyVariable: "OPENAI_API_KEY" });
});

// Bug: a request that Ollama refused was sent six times, as if the server were broken.
test("an `api_error` with a status of the client's is not tried again", async () => {
  const { failure, tries } = await failureOf(server, 400, {
    error: { message: "invalid value", type: "api_error" },
  });
  expect(failure).toMatchObject({ code: "invalid_request" });
  expect(tries).toBe(1);
});

// Bug: a model without tools was said not to exist, or its server to be broken.
test.each([
  [404, { code: 404, message: "No endpoints found that support tool use. To learn more, see the docs." }],
  [400, { type: "api_error", message: "registry.ollama.ai/library/gemma does not support tools" }],
])("%i %j: it is said that the model can't use tools", async (status, error) => {
  const { failure, tries } = await failureOf(server, status, { error });
  expect(failure).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("some-model can't use tools"),
    hint: expect.stringContaining("Choose a model that can"),
  });
  expect(tries).toBe(1);
});

describe("the words of a server are shown", () => {
  // Bug: over OpenRouter, every error of a model was “Provider returned error”.
  test("with those of whom it passed the request on to, without the key", async () => {
    const raw = JSON.stringify({ error: { message: "temperature must be below 1; not k-very-secret" } });
    const error = {
      code: 400,
      message: "Provider returned error",
      metadata: { raw, provider_name: "Google" },
    };
    const env = { ...server, OPENAI_API_KEY: "k-very-secret" };
    const { failure } = await failureOf(env, 400, { error });
    const said = "Provider returned error: temperature must be below 1; not [secret removed]";
    expect(failure).toMatchObject({ message: `The request was refused: ${said}` });
  });

  // Bug: Mistral's errors were “400 status code (no body)”.
  test.each([
    [{ object: "error", message: "Too warm.", type: "invalid_request_error", code: "1500" }],
    [{ detail: "Too warm." }],
    [[{ error: { code: 400, message: "Too warm.", status: "INVALID_ARGUMENT" } }]],
    [{ error: "Too warm." }],
  ])("%j", async (json) => {
    const { failure } = await failureOf(server, 400, json);
    expect(failure).toMatchObject({ message: "The request was refused: Too warm." });
  });
});

// Bug: each answer of a server that speaks like OpenAI's was looked through for words without an end.
test("an error that says nothing ends in one that says so", async () => {
  const { failure, tries } = await failureOf(server, 400, { detail: [{}] });
  expect(failure).toMatchObject({ code: "invalid_request" });
  expect(tries).toBe(1);
});
