import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";

export type FileAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server that files are downloaded from. */
export interface FileServer {
  /** What was asked for, in order; `range` as the client wrote it. */
  requests: { path: string; range: string | undefined }[];
  /** How it answers, request by request of a path; the last one stays. Other paths are not found. */
  answers: Map<string, FileAnswer[]>;
  urlOf(path: string): string;
  close(): Promise<void>;
}

export async function createFileServer(): Promise<FileServer> {
  const requests: FileServer["requests"] = [];
  const answers: FileServer["answers"] = new Map();
  const server = createServer((request, response) => {
    // A client may put a number behind it, so that nobody answers from a cache.
    const [path = ""] = (request.url ?? "").split("?");
    requests.push({ path, range: request.headers.range });
    const queue = answers.get(path) ?? [];
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return {
    requests,
    answers,
    urlOf: (path) => `http://127.0.0.1:${address.port}${path}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers as file servers do, ranges included. */
export const whole =
  (bytes: Buffer): FileAnswer =>
  (request, response) => {
    const from = startOf(request);
    if (from >= bytes.length && from > 0) return void response.writeHead(416).end();
    response.writeHead(from > 0 ? 206 : 200, headersOf(bytes, from)).end(bytes.subarray(from));
  };

/** Sends so many bytes of it and then nothing more, until the connection is ended. */
export const someOf =
  (bytes: Buffer, count: number): FileAnswer =>
  (request, response) => {
    const from = startOf(request);
    response.writeHead(from > 0 ? 206 : 200, headersOf(bytes, from));
    response.write(bytes.subarray(from, from + count));
  };

/** Where a request wants to go on: the first byte that it lacks. */
export const startOf = (request: IncomingMessage): number =>
  Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);

function headersOf(bytes: Buffer, from: number): OutgoingHttpHeaders {
  const length = { "content-length": bytes.length - from };
  return from > 0
    ? { ...length, "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
    : length;
}
