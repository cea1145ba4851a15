import { once } from "node:events";
import { createServer, globalAgent, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { httpFetch } from "../../../electron/providers/anthropic/http-fetch.ts";
import { preconnect } from "../../../electron/providers/preconnect.ts";

let server: Server;
let asked: string[];
let connections: number;
let address: string;

beforeEach(async () => {
  asked = [];
  connections = 0;
  server = createServer((request, response) => {
    asked.push(request.method ?? "");
    response.end("whatever");
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test("the next request takes the connection that was opened", async () => {
  await preconnect(address);
  await (await httpFetch(`${address}/messages`, { method: "POST", body: "{}" })).text();
  expect([asked, connections]).toEqual([["OPTIONS", "POST"], 1]);
});

test("where a connection is open nothing is sent, and where it was closed a new one is opened", async () => {
  await preconnect(address);
  await preconnect(address);
  expect(asked).toEqual(["OPTIONS"]);

  const free = Object.values(globalAgent.freeSockets).flatMap((sockets) => sockets ?? []);
  const gone = Promise.all(free.map((socket) => once(socket, "close")));
  server.closeAllConnections();
  await gone;
  await preconnect(address);
  expect([asked, connections]).toEqual([["OPTIONS", "OPTIONS"], 2]);
});

test("another server's connection is none of this one's", async () => {
  await preconnect(address);
  await preconnect(address.replace("127.0.0.1", "localhost"));
  expect(asked.length + connections).toBeGreaterThan(2);
});

test.each(["http://127.0.0.1:9", "no address", "ftp://127.0.0.1"])("%s: says nothing", async (nowhere) => {
  await expect(preconnect(nowhere)).resolves.toBeUndefined();
});
