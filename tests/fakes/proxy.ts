import { createServer, request as overHttp, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A company's proxy: it knows hosts that nobody else knows, and every connection goes through it. */
export interface CompanyProxy {
  url: string;
  /** `host:port` of every tunnel that was asked for, in order. */
  readonly tunnels: readonly string[];
  close(): Promise<void>;
}

/** @param hosts where each `host:port` really is: a port of this computer */
export async function createProxy(hosts: Readonly<Record<string, number>>): Promise<CompanyProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on("connection", (socket) => track(sockets, socket));
  server.on("connect", (request, client: Socket) => {
    const target = request.url ?? "";
    tunnels.push(target);
    const port = hosts[target];
    client.on("error", () => client.destroy());
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
  return { url: `http://127.0.0.1:${port}`, tunnels, close: () => close(server, sockets) };
}

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
