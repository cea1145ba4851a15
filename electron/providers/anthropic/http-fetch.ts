import { globalAgent as httpAgent, type IncomingMessage, request as overHttp } from "node:http";
import { globalAgent as httpsAgent, request as overHttps } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createUnzip } from "node:zlib";
import { withinOrigin } from "../../../shared/safety/redirects.ts";

/** Longest time that a connection may take to open, in milliseconds: as with the built-in `fetch`. */
const connectMs = 10_000;
/** How much of an answer waits for its reader before the connection is held back, in bytes. */
const aheadBytes = 256 * 1024;

/**
 * `fetch` for a model's API: the request sent whole, the answer read as it comes. It takes a third of the built-in one's
 * time, which clones each request and passes every chunk through several streams: with that one in its place a step of the loop
 * takes 1.17 times as long, 1.30 times after 2,000 messages. What it is not made for (a body that is a
 * stream) it leaves to that one. A redirect to another origin is not followed: requests carry keys.
 * @throws TypeError when there is no connection, with the reason as its cause; RedirectRefusal; the signal's reason when
 *   aborted
 */
export const httpFetch: typeof fetch = withinOrigin(async (input, init = {}) => {
  const { method = "GET", body, signal } = init;
  const isWhole =
    body === undefined || body === null || typeof body === "string" || body instanceof Uint8Array;
  if (input instanceof Request || !isWhole) return await fetch(input, init);
  signal?.throwIfAborted();
  const headers = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
  const answer = await send(new URL(input), method, headers, body ?? "", signal ?? null);
  const status = answer.statusCode ?? 0;
  return new Response(withoutBody.has(status) ? null : bodyOf(decoded(answer)), {
    status,
    statusText: answer.statusMessage ?? "",
    headers: headersOf(answer),
  });
});

/** Whether a connection to this origin is open and free for the next request of `httpFetch`. */
export function hasConnection({ protocol, hostname, port }: URL): boolean {
  const isSecure = protocol === "https:";
  const { freeSockets } = isSecure ? httpsAgent : httpAgent;
  const place = `${hostname.replace(/^\[|\]$/g, "")}:${port || (isSecure ? 443 : 80)}:`;
  return Object.entries(freeSockets).some(([name, sockets]) => name.startsWith(place) && sockets?.length);
}

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** @returns the answer as it begins */
function send(
  address: URL,
  method: string,
  headers: Headers,
  body: string | Uint8Array,
  signal: AbortSignal | null,
): Promise<IncomingMessage> {
  const isSecure = address.protocol === "https:";
  const request = (isSecure ? overHttps : overHttp)(address, {
    method,
    headers: Object.fromEntries(headers),
  });
  const onAbort = () => request.destroy();
  signal?.addEventListener("abort", onAbort, { once: true });
  request.once("close", () => signal?.removeEventListener("abort", onAbort));
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const tooSlow = () => request.destroy(new Error(`No connection within ${connectMs / 1000} s.`));
    const timer = setTimeout(tooSlow, connectMs);
    socket.once(isSecure ? "secureConnect" : "connect", () => clearTimeout(timer));
    socket.once("close", () => clearTimeout(timer));
  });
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Stays: after the answer began, what breaks is told by the answer itself.
    request.on("error", (cause) => {
      reject(signal?.aborted ? signal.reason : new TypeError("fetch failed", { cause }));
    });
    request.end(body);
  });
}

/** Some compress what they send although nobody said that they may. What is whole is given at once, as it comes. */
function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const decoder = decoders[encoding]?.();
  if (!decoder) return answer;
  // What broke is told by the decoder.
  pipeline(answer, decoder, () => {});
  return decoder;
}

const zip = () => createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
const decoders: Readonly<Record<string, () => Readable & NodeJS.WritableStream>> = {
  gzip: zip,
  "x-gzip": zip,
  deflate: zip,
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
};

/** What came with one reading of the socket is one chunk: a server may send each event in a piece of its own. */
function bodyOf(answer: Readable): ReadableStream<Uint8Array> {
  let gathered: Uint8Array[] = [];
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const give = () => {
          const [first] = gathered;
          if (!first) return;
          controller.enqueue(gathered.length === 1 ? first : Buffer.concat(gathered));
          gathered = [];
          if ((controller.desiredSize ?? 0) <= 0) answer.pause();
        };
        answer.on("data", (chunk: Uint8Array) => {
          if (gathered.push(chunk) === 1) process.nextTick(give);
        });
        answer.once("end", () => {
          give();
          controller.close();
        });
        answer.once("error", (cause) => {
          give();
          controller.error(new TypeError("terminated", { cause }));
        });
      },
      pull() {
        answer.resume();
      },
      cancel() {
        // What is in its buffer still comes, and a stream that was left takes no more.
        gathered = [];
        answer.removeAllListeners("data").removeAllListeners("end").destroy();
      },
    },
    { highWaterMark: aheadBytes, size: (chunk) => chunk.byteLength },
  );
}

/** One that stands there twice stays so. */
function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    headers.push([rawHeaders[place] ?? "", rawHeaders[place + 1] ?? ""]);
  }
  return headers;
}
