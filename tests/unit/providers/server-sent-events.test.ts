import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ServerSentEvent, serverSentEvents } from "../../../electron/providers/server-sent-events.ts";

async function read(chunks: readonly Uint8Array[], onChunk = () => {}): Promise<ServerSentEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  for await (const together of serverSentEvents(new Response(body), onChunk, (event) => event))
    events.push(...together);
  return events;
}

const stream = [
  'event: message_start\ndata: {"a":1}\n\n',
  ": a comment\n\n",
  "data: no name\n\n",
  "event: two\r\ndata:first\r\ndata: second\r\nid: 7\r\n\r\n",
  "event: alone\n\n",
  "event: ümlaut\rdata: 🎧 ü\r\r",
  "data:  spaces stay \n\n",
  "event: cut off\ndata: never sent",
].join("");

const expected = [
  { event: "message_start", data: '{"a":1}' },
  { event: "", data: "no name" },
  { event: "two", data: "first\nsecond" },
  { event: "ümlaut", data: "🎧 ü" },
  { event: "", data: " spaces stay " },
];

describe("an event stream", () => {
  test("gives its events, whatever the line ends; comments and what has no data are passed over", async () => {
    expect(await read([Buffer.from(stream)])).toEqual(expected);
  });

  test("gives the same events wherever it is cut, inside characters and line ends too", async () => {
    const bytes = Buffer.from(stream);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: bytes.length })), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(await read(chunks)).toEqual(expected);
      }),
    );
    expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  test("counts every chunk as a sign of life, comments too", async () => {
    let signs = 0;
    await read([Buffer.from(": still here\n\n"), Buffer.from(": still here\n\n")], () => signs++);
    expect(signs).toBe(2);
  });

  test("closes the connection when its reader leaves", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from("data: more\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const _ of serverSentEvents(
      new Response(body),
      () => {},
      (event) => event,
    ))
      break;
    expect(cancelled).toBe(true);
  });
});
