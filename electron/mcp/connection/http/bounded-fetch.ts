import { grouped } from "../../../../shared/grouped.ts";

/** Bytes that a server's answer, or one event of its stream, may have: as much as a line of a server that is a program. */
export const maxAnswerBytes = 64_000_000;

/** `fetch` whose answers end with an error where they go beyond the bound: nobody's memory is filled by them. */
export function boundedFetch(base: typeof fetch, maxBytes = maxAnswerBytes): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get("content-type")?.includes("text/event-stream") ?? false;
    const body = response.body.pipeThrough(bound(maxBytes, isStream));
    return new Response(body, { status, statusText, headers });
  };
}

/** @param isStream of events: each is counted by itself */
function bound(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isBlank = false;
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) [bytes, isBlank] = sinceLastEvent(chunk, bytes, isBlank);
      else bytes += chunk.length;
      if (bytes <= maxBytes) return controller.enqueue(chunk);
      controller.error(new Error(`The server's answer is larger than ${grouped(maxBytes)} bytes.`));
    },
  });
}

const [lineFeed, carriageReturn] = [10, 13];

/** An empty line ends an event. Source: HTML, 9.2.6. */
function sinceLastEvent(
  chunk: Uint8Array,
  before: number,
  wasBlank: boolean,
): [bytes: number, isBlank: boolean] {
  let bytes = before;
  let isBlank = wasBlank;
  for (const byte of chunk) {
    bytes++;
    if (byte === lineFeed) {
      if (isBlank) bytes = 0;
      isBlank = true;
    } else if (byte !== carriageReturn) isBlank = false;
  }
  return [bytes, isBlank];
}
