import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createSeedServer, type Session } from "./seed-server.ts";

/** The least that a speech server can be, over Streamable HTTP. */
export interface SeedHttpServer {
  url: string;
  /** What clients sent as `Authorization`, each once. */
  authorizations: string[];
  /** As if it was started anew: it knows nobody any more, and listens to nothing. */
  forget(): void;
  close(): Promise<void>;
}

export async function serveSeed(wav: string, texts: readonly string[]): Promise<SeedHttpServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const authorizations = new Set<string>();
  const listening = new Map<string, Session>();
  const transportFor = async (request: IncomingMessage) => {
    const known = transports.get(String(request.headers["mcp-session-id"] ?? ""));
    if (known) return known;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await createSeedServer(wav, texts, listening).connect(transport);
    return transport;
  };
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== undefined) authorizations.add(request.headers.authorization);
    const id = request.headers["mcp-session-id"];
    if (id !== undefined && !transports.has(String(id))) {
      response.writeHead(404).end("Session not found");
      return;
    }
    await (await transportFor(request)).handleRequest(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    get authorizations() {
      return [...authorizations];
    },
    forget() {
      transports.clear();
      listening.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
