import { EventEmitter, once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createBrotliCompress, createDeflate, createGzip } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { httpFetch } from "../../../../electron/providers/anthropic/http-fetch.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** @returns its address */
async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return addressOf(server);
}
const addressOf = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

/** A server that begins its answer and leaves the rest to the test. */
async function served() {
  const begun = new EventEmitter<{ answer: [ServerResponse] }>();
  const answer = once(begun, "answer").then(([response]) => response);
  const url = await serve((_, response) => {
    response.write("begun ");
    begun.emit("answer", response);
  });
  return { url, begun: answer };
}

test("sends method, headers and body whole, and gives status, headers and body as they came", async () => {
  const url = await serve(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, headers, url: path } = request;
    response.writeHead(429, { "content-type": "text/plain", "retry-after": "7" });
    const length = headers["content-length"];
    response.end([method, path, headers["x-api-key"], length, Buffer.concat(chunks)].join("|"));
  });
  const response = await httpFetch(`${url}/v1/messages?a=b`, {
    method: "POST",
    headers: new Headers({ "x-api-key": "the-key" }),
    body: '{"text":"grün"}',
  });
  expect([response.status, response.ok, response.headers.get("retry-after")]).toEqual([429, false, "7"]);
  expect(await response.text()).toBe('POST|/v1/messages?a=b|the-key|16|{"text":"grün"}');
});

test("gives what arrives while the answer still goes on", async () => {
  const { url, begun } = await served();
  const response = await httpFetch(url);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("begun ");
  (await begun).end("ended");
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("ended");
  expect((await reader?.read())?.done).toBe(true);
});

test("two requests, one after the other, use one connection", async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("ok");
  });
  for (const _ of [1, 2]) await (await httpFetch(url, { method: "POST", body: "{}" })).text();
  expect(ports.size).toBe(1);
});

test("where there is no connection, the reason is the error's cause", async () => {
  const url = await serve(() => {});
  server?.close();
  await expect(httpFetch(url)).rejects.toMatchObject({ name: "TypeError", cause: { code: "ECONNREFUSED" } });
});

test("an answer that breaks off is an error for its reader, not an end", async () => {
  const { url, begun } = await served();
  const response = await httpFetch(url);
  (await begun).destroy();
  await expect(response.text()).rejects.toThrow(TypeError);
});

test("an abort before the answer rejects with the signal's reason and closes the connection", async () => {
  const controller = new AbortController();
  const reason = new Error("Enough.");
  const seen = new EventEmitter<{ closed: [] }>();
  const closed = once(seen, "closed");
  const url = await serve((request) => {
    request.socket.once("close", () => seen.emit("closed"));
    controller.abort(reason);
  });
  await expect(httpFetch(url, { signal: controller.signal })).rejects.toBe(reason);
  await closed;
  await expect(httpFetch(url, { signal: controller.signal })).rejects.toBe(reason);
});

test("an abort in the middle of the answer ends its reader and closes the connection", async () => {
  const { url, begun } = await served();
  const controller = new AbortController();
  const response = await httpFetch(url, { signal: controller.signal });
  const closed = once(await begun, "close");
  controller.abort();
  await expect(response.text()).rejects.toThrow(TypeError);
  await closed;
});

test("a reader that leaves closes the connection", async () => {
  const { url, begun } = await served();
  const response = await httpFetch(url);
  const closed = once(await begun, "close");
  await response.body?.cancel();
  await closed;
});

test("a slow reader holds the server back instead of filling the memory", async () => {
  const mebibyte = Buffer.alloc(1024 * 1024);
  const { url, begun } = await served();
  const response = await httpFetch(url);
  const answer = await begun;
  const drained = once(answer, "finish").then(() => "drained");
  // More than both systems' buffers and ours can hold.
  for (let count = 0; count < 64; count++) answer.write(mebibyte);
  answer.end();
  // Meanwhile both sides get their turns.
  for (let count = 0; count < 50; count++) (await httpFetch(url)).body?.cancel();
  expect(answer.writableLength).toBeGreaterThan(32 * mebibyte.length);
  const reader = response.body?.getReader();
  let bytes = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.length;
  }
  expect(bytes).toBe("begun ".length + 64 * mebibyte.length);
  expect(await drained).toBe("drained");
});

test("an answer without a body has none", async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  expect((await httpFetch(url)).body).toBeNull();
});

test("a redirect is followed with the whole request, unless it is asked for", async () => {
  const paths: (string | undefined)[] = [];
  const url = await serve(async (request, response) => {
    paths.push(request.url);
    if (request.url === "/old") {
      response.writeHead(307, { location: "/new" }).end();
      return;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(`${request.method} ${Buffer.concat(chunks)}`);
  });
  const post = { method: "POST", body: "the prompt" };
  expect(await (await httpFetch(`${url}/old`, post)).text()).toBe("POST the prompt");
  expect((await httpFetch(`${url}/old`, { ...post, redirect: "manual" })).status).toBe(307);
  expect(paths.slice(-2)).toEqual(["/new", "/old"]);
});

test.each([
  ["gzip", createGzip],
  ["GZIP", createGzip],
  ["deflate", createDeflate],
  ["br", createBrotliCompress],
] as const)("decodes %s, what was flushed at once", async (encoding, compress) => {
  const packed = compress();
  const url = await serve((_, response) => {
    response.writeHead(200, { "content-encoding": encoding });
    packed.pipe(response);
    packed.write("begun ");
    packed.flush();
  });
  const { body } = await httpFetch(url);
  if (!body) throw new Error("There is no body.");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe("begun ");
  packed.end("ended");
  expect((await reader.read()).value).toBe("ended");
  expect((await reader.read()).done).toBe(true);
});
