import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { boundedFetch } from "../../../../../electron/mcp/connection/http/bounded-fetch.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that answers in its own way; told when nobody listens any more. */
async function serve(type: string, answer: (response: ServerResponse) => void) {
  let isGone = (): void => {};
  const gone = new Promise<void>((resolve) => {
    isGone = resolve;
  });
  const server = createServer((_, response) => {
    response.once("close", isGone);
    response.writeHead(200, { "content-type": type });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, gone };
}

const endless = (piece: string) => (response: ServerResponse) => {
  const go = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", go);
  };
  go();
};
const small = boundedFetch(fetch, 100_000);

test("an answer within the bound comes as it is, with what it says of itself", async () => {
  const { url } = await serve("application/json", (response) => response.end('{"a":1}'));
  const response = await small(url);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(await response.json()).toEqual({ a: 1 });
});

// Bug: an answer without an end filled the memory of the whole app.
test.each([
  ["an answer without an end", "application/json", endless(" ".repeat(1000))],
  ["an event without an end", "text/event-stream", endless("data: x\n".repeat(100))],
  ["a line without an end", "text/event-stream", endless("x".repeat(1000))],
])("%s ends with an error, and the connection with it", async (_, type, answer) => {
  const { url, gone } = await serve(type, answer);
  await expect((await small(url)).text()).rejects.toThrow("larger than 100,000 bytes");
  await gone;
});

test("a stream of any length whose events are small goes on", async () => {
  const event = `data: ${"x".repeat(1000)}\r\n\r\n`;
  const { url } = await serve("text/event-stream", (response) => response.end(event.repeat(500)));
  expect(await (await small(url)).text()).toHaveLength(event.length * 500);
});
