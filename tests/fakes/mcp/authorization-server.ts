import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";

/** An authorization server (RFC 8414, 7591) for MCP servers elsewhere. It believes everybody, and keeps what it was sent. */
export interface AuthorizationServer {
  url: string;
  requests: { line: string; headers: IncomingHttpHeaders; body: string }[];
  /** Where it says something of itself. */
  metadataPath: string;
  /** In place of what it says of itself. */
  metadata: Record<string, unknown>;
  /** Beside, and in place of, what a registration is answered with, and a request for tokens. */
  registration: Record<string, unknown>;
  tokens: Record<string, unknown>;
  /** What requests for a path are answered with in place of that. */
  refuses: Record<string, { status: number; body: string }>;
  /** What the browser brings back beside the code, such as `iss` (RFC 9207). */
  brings: Record<string, string>;
  isGood(token: string): boolean;
  /** No access token is good any more. */
  expire(): void;
  /** Method and path of each request. */
  lines(): string[];
  close(): Promise<void>;
}

export async function createAuthorizationServer(): Promise<AuthorizationServer> {
  const access = new Set<string>();
  const requests: AuthorizationServer["requests"] = [];
  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", server.url);
    const line = `${request.method} ${url.pathname}`;
    requests.push({ line, headers: request.headers, body: await text(request) });
    const json = (body: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    const refusal = server.refuses[url.pathname];
    if (refusal)
      return void response.writeHead(refusal.status, { "content-type": "text/html" }).end(refusal.body);
    switch (url.pathname) {
      case server.metadataPath:
        return void json({
          issuer: server.url,
          authorization_endpoint: `${server.url}/authorize`,
          token_endpoint: `${server.url}/token`,
          registration_endpoint: `${server.url}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          ...server.metadata,
        });
      case "/register":
        return void json({
          ...JSON.parse(requests.at(-1)?.body ?? "{}"),
          client_id: randomUUID(),
          ...server.registration,
        });
      case "/authorize": {
        const back = new URL(url.searchParams.get("redirect_uri") ?? server.url);
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        back.searchParams.set("code", "the-code");
        for (const [name, value] of Object.entries(server.brings)) back.searchParams.set(name, value);
        return void response.writeHead(302, { location: back.href }).end();
      }
      case "/token": {
        const access_token = randomUUID();
        access.add(access_token);
        return void json({
          access_token,
          token_type: "Bearer",
          refresh_token: `refresh-${randomUUID()}`,
          ...server.tokens,
        });
      }
      default:
        response.writeHead(404).end();
    }
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const address = http.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const server: AuthorizationServer = {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    metadataPath: "/.well-known/oauth-authorization-server",
    metadata: {},
    registration: {},
    tokens: {},
    refuses: {},
    brings: {},
    isGood: (token) => access.has(token),
    expire: () => access.clear(),
    lines: () => requests.map(({ line }) => line),
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return server;
}
