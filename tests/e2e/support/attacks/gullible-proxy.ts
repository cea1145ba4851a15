import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";

/** A system's proxy that takes everybody everywhere: each address that was asked for is known, and answered with nothing. */
export interface GullibleProxy {
  url: string;
  asked: readonly string[];
  close(): Promise<void>;
}

export async function createGullibleProxy(): Promise<GullibleProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { url = "" } = request;
    asked.push(url);
    // A host that sends on to wherever the request says.
    const [, to] = /^http:\/\/redirect\.[^?]*\?(.*)$/.exec(url) ?? [];
    if (to !== undefined) response.writeHead(302, { location: decodeURIComponent(to) });
    response.end();
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("connect", (_request, socket: Socket) => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.once("data", (bytes) => {
      asked.push(bytes.toString("latin1").split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
