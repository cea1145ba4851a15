import { createServer, type IncomingMessage, request as overHttp, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A company's proxy: it knows hosts that nobody else knows, and every connection goes through it. */
export interface CompanyProxy {
  url: string;
  /** `host:port` of every tunnel that was asked for, in order; of a page without TLS its address. */
  readonly tunnels: readonly string[];
  /** How often it sent somebody away who did not say who asks. */
  readonly refused: number;
  close(): Promise<void>;
}

/**
 * @param hosts where each `host:port` really is: a port of this computer
 * @param login `name:password` that it wants to be told
 */
export async function createProxy(
  hosts: Readonly<Record<string, number>>,
  login: string | null = null,
): Promise<CompanyProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = login === null ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
  let refused = 0;
  const isWelcome = ({ headers }: IncomingMessage) => {
    const isKnown = wanted === undefined || headers["proxy-authorization"] === wanted;
    if (!isKnown) refused++;
    return isKnown;
  };
  const server = createServer((request, response) => {
    if (!isWelcome(request))
      return void response.writeHead(407, { "proxy-authenticate": challenge }).end("Who?");
    const { method, headers, url = "" } = request;
    tunnels.push(url);
    const { hostname, port, pathname, search } = new URL(url);
    const there = hosts[`${hostname}:${port || 80}`];
    if (there === undefined) return void response.writeHead(502).end();
    const far = overHttp({ port: there, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    far.once("error", () => response.destroy());
    request.pipe(far);
  });
  server.on("connection", (socket) => track(sockets, socket));
  server.on("connect", (request, client: Socket) => {
    const target = request.url ?? "";
    client.on("error", () => client.destroy());
    if (!isWelcome(request)) {
      const head = `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge}`;
      return void client.end(`${head}\r\nContent-Length: 0\r\n\r\n`);
    }
    tunnels.push(target);
    const port = hosts[target];
    if (port === undefined) return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const far = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.pipe(client).pipe(far);
    });
    track(sockets, far);
    far.on("error", () => client.destroy());
    client.on("close", () => far.destroy());
    far.on("close", () => client.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    tunnels,
    get refused() {
      return refused;
    },
    close: () => close(server, sockets),
  };
}

const challenge = 'Basic realm="company"';

/** The same server over TLS: what comes is passed on as it is, and cut off where the client goes. */
export async function createTlsFront(
  target: string,
  { key, cert }: { key: string; cert: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createSecureServer({ key, cert }, (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const far = overHttp(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    far.once("error", () => response.destroy());
    response.once("close", () => far.destroy());
    request.pipe(far);
  });
  server.on("connection", (socket: Socket) => track(sockets, socket));
  return { port: await listen(server), close: () => close(server, sockets) };
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!isNetworkAddress(address)) throw new Error("There is no port.");
  return address.port;
}

const isNetworkAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

async function close(server: Server, sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}
