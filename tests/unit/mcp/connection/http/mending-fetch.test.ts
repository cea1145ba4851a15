import { expect, test } from "vitest";
import { mendingFetch } from "../../../../../electron/mcp/connection/http/mending-fetch.ts";

const answered = '{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":null}';
const mended = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
const asItIs = '{"jsonrpc":"2.0","id":2,"result":{"structuredContent":{"name":null}}}';

async function read(pieces: readonly string[], type: string): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const base = async () => new Response(body, { headers: { "content-type": type } });
  return await (await mendingFetch(base)("http://127.0.0.1/")).text();
}

test.each(["\n", "\r\n", "\r"])(
  "of a stream the events are mended, however they come; all else stays: %j",
  async (end) => {
    const lines = (message: string) => ["event: message", "id: 7", `data: ${message}`, `data:${asItIs}`, ""];
    const stream = lines(answered).join(end) + end;
    const wanted = lines(mended).join(end) + end;
    const unended = `${stream}data: ${answered}`;
    expect(await read([stream], "text/event-stream")).toBe(wanted);
    expect(await read([...unended], "text/event-stream; charset=utf-8")).toBe(`${wanted}data: ${mended}`);
  },
);

test("of an answer in JSON every message is mended; what is none stays as it is", async () => {
  expect(await read([answered], "application/json")).toBe(mended);
  expect(JSON.parse(await read([`[${answered},${asItIs}]`], "application/json"))).toEqual([
    JSON.parse(mended),
    JSON.parse(asItIs),
  ]);
  const bare = '{"jsonrpc":"2.0","id":1,"result": ["one"]}';
  const inResult = { jsonrpc: "2.0", id: 1, result: { content: ["one"] } };
  expect(JSON.parse(await read([bare], "application/json"))).toEqual(inResult);
  for (const other of ['{"error":null,"access_token":"x"}', "null", "{null"]) {
    expect(await read([other], "application/json")).toBe(other);
  }
});
