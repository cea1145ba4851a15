import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import {
  findLocalServer,
  knownServers,
  type LocalServer,
  LocalServers,
  localModel,
} from "../../../electron/providers/local-server.ts";
import { FakeClock } from "../../fakes/clock.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** @param answer undefined: it never answers */
async function listening(answer: string | undefined): Promise<number> {
  const server = createServer((_, response) => {
    if (answer !== undefined) response.end(answer);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const list = (...ids: string[]) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id })) });

test.each([
  [undefined, 11434],
  ["127.0.0.1:11500", 11500],
  [":11500", 11500],
  ["0.0.0.0:11500", 11500],
  ["http://localhost:11500/", 11500],
  ["[::]:11500", 11500],
  ["localhost", 11434],
  ["gpu.example.com:11500", 11434],
  ["not a host", 11434],
])("Ollama with OLLAMA_HOST %j is looked for on port %i", (OLLAMA_HOST, port) => {
  expect(knownServers({ OLLAMA_HOST })[0]).toEqual({ name: "Ollama", port });
});

describe("findLocalServer", () => {
  test("takes the first in the list that answers with a model; a silent one is given up after five times 300 ms", async () => {
    const servers = [
      { name: "Silent", port: await listening(undefined) },
      { name: "Web page", port: await listening("<html>") },
      { name: "No models", port: await listening(list()) },
      { name: "Second", port: await listening(list("nomic-embed-text", "llama3:latest", "qwen3")) },
      { name: "Third", port: await listening(list("other")) },
    ];
    const silent = `:${servers[0]?.port}/`;
    let givenUpMs = 0;
    let probes = 0;
    // A busy computer makes nobody silent: only that one is given up by the time.
    const patient: typeof fetch = async (url, { signal = null, ...init } = {}) => {
      if (!String(url).includes(silent)) return await fetch(url, init);
      probes++;
      const startedAt = performance.now();
      return await fetch(url, { ...init, signal }).finally(() => {
        givenUpMs = performance.now() - startedAt;
      });
    };
    const found = await findLocalServer(servers, patient);
    expect(givenUpMs).toBeGreaterThan(290);
    expect(probes).toBe(5);
    expect(found).toEqual({
      name: "Second",
      baseUrl: `http://127.0.0.1:${servers[3]?.port}/v1`,
      models: ["llama3:latest", "qwen3"],
    });
  });

  test("nobody there", async () => {
    const port = await listening(list("x"));
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    expect(await findLocalServer([{ name: "Gone", port }])).toBeNull();
  });
});

test("the model that is set, where the server has it, else its first", () => {
  const server = { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3:latest", "qwen3"] };
  expect(localModel(server, "opus")).toBe("llama3:latest");
  expect(localModel(server, "qwen3")).toBe("qwen3");
  expect(localModel(server, "llama3")).toBe("llama3:latest");
});

test("who asks never waits: the last answer counts, and is renewed behind when it is old", async () => {
  const clock = new FakeClock();
  let there: LocalServer | null = null;
  let probes = 0;
  let changes = 0;
  const find = async () => {
    probes++;
    return there;
  };
  const local = new LocalServers({ clock, find, onChange: () => changes++ });
  await local.refresh();
  there = { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3"] };
  expect(local.current()).toBeNull();
  expect(probes).toBe(1);
  clock.advance(10_001);
  expect(local.current()).toBeNull();
  await local.refresh();
  expect(probes).toBe(2);
  expect(changes).toBe(1);
  expect(local.current()).toBe(there);
});
