import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A host that sends everybody on to another one, which keeps what it is sent. */
export interface TwoHosts {
  /** Of the redirect. */
  status: number;
  /** Of the first. */
  url: string;
  /** The second, by its address on this computer. */
  secondUrl: string;
  /** What the second was sent. */
  received: ReceivedRequest[];
  /** What the first was asked: it must have been, or nothing was tested. */
  asked: ReceivedRequest[];
  close(): Promise<void>;
}

/** @param answer of the second host @param leadsTo the second host, as the first calls it */
export async function createTwoHosts(
  status: number,
  { answer = "{}", leadsTo }: { answer?: string; leadsTo?: string } = {},
): Promise<TwoHosts> {
  const asked: ReceivedRequest[] = [];
  const received: ReceivedRequest[] = [];
  const second = await listening(received, () => [200, { "content-type": "application/json" }, answer]);
  const there = leadsTo ?? `http://localhost:${portOf(second)}`;
  const first = await listening(asked, (path) => [hosts.status, { location: there + path }, ""]);
  const hosts: TwoHosts = {
    status,
    url: `http://127.0.0.1:${portOf(first)}`,
    secondUrl: `http://127.0.0.1:${portOf(second)}`,
    received,
    asked,
    async close() {
      for (const server of [first, second]) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
  };
  return hosts;
}

async function listening(
  into: ReceivedRequest[],
  answer: (path: string) => [number, Record<string, string>, string],
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method = "", url = "/", headers } = request;
    into.push({ method, path: url, headers, body: await text(request) });
    const [status, answerHeaders, body] = answer(url);
    response.writeHead(status, answerHeaders).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return address.port;
}
