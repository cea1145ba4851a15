import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

export interface HttpServerOptions {
  /** `streamable`, or only the older transport. */
  transport?: "streamable" | "sse";
  /** Whether somebody has to sign in: tokens are checked, and given by an authorization server at the same address. */
  signIn?: boolean;
  /** What the page for signing in answers in place of a code. */
  denies?: string;
  /** false: access ends, and nothing renews it. */
  refreshTokens?: boolean;
  /** What access must be for, for a tool to be called; without it the answer is `insufficient_scope` (RFC 6750, 3.1). */
  callScope?: string;
  /** What a session that it does not know is answered with, in place of 404. */
  unknownSession?: { status: number; body: string };
  /** Answers are whole ones in JSON, no streams of events. */
  json?: boolean;
  /** Each result has nulls in it for what it does not have. */
  nulls?: boolean;
  /** Another authorization server than its own: where it says that its metadata is, which it names, whose tokens are good. */
  elsewhere?: { metadata?(): string; issuer(): string; accepts(token: string): boolean };
}

/** An MCP server over HTTP with one tool, `whoami`, and its own authorization server (RFC 8414, 7591, 7636, 9728). */
export interface HttpServer {
  url: string;
  /** Method and path of each request. */
  requests: string[];
  /** Headers of the last request to the MCP address. */
  lastHeaders: IncomingMessage["headers"];
  /** Forgets all sessions, as a server that was started anew. */
  forget(): void;
  /** No access token is good any more. */
  expire(): void;
  /** Nor is any refresh token. */
  revoke(): void;
  /** The next request for this path, of this method if given, gets its answer only when it is released. */
  hold(path: string, method?: string): HeldRequest;
  /** The answer to the next call begins, and its connection is cut, or ends, before it says anything. */
  breakNextCall(how: "cut" | "end"): void;
  /** Cuts every stream of events that is open, and knows nothing of what was on it. */
  cutStreams(): void;
  /** The next request for this path is answered with this status, or its connection is cut. */
  failNext(path: string, how: number | "cut"): void;
  close(): Promise<void>;
}

/** What a token was given for, and to whom. */
interface Grant {
  client: string;
  scope: string;
}

const resourceMetadata = "/.well-known/oauth-protected-resource/mcp";

export interface HeldRequest {
  /** Resolves when it is there. */
  asked: Promise<void>;
  release(): void;
}

export async function createHttpServer(options: HttpServerOptions = {}): Promise<HttpServer> {
  const {
    transport = "streamable",
    signIn = false,
    denies,
    refreshTokens = true,
    elsewhere,
    callScope,
    unknownSession = { status: 404, body: "" },
    json: answersInJson = false,
    nulls = false,
  } = options;
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  const clients = new Map<string, string[]>();
  const codes = new Map<string, Grant & { challenge: string; redirect: string }>();
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  const failures = new Map<string, number | "cut">();
  const used = new Set<string>();
  const streams = new Set<ServerResponse>();
  let breaksCall: "cut" | "end" | null = null;
  const requests: string[] = [];
  const holds: { path: string; method?: string | undefined; ask(): void; released: Promise<void> }[] = [];

  const http = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const server: HttpServer = {
    url: `${origin}/mcp`,
    requests,
    lastHeaders: {},
    forget: () => sessions.clear(),
    expire: () => access.clear(),
    revoke: () => {
      access.clear();
      refresh.clear();
    },
    hold: (path, method) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const asked = new Promise<void>((ask) => void holds.push({ path, method, ask, released }));
      return { asked, release };
    },
    breakNextCall: (how) => {
      breaksCall = how;
    },
    cutStreams: () => {
      sessions.clear();
      for (const stream of streams) stream.destroy();
      streams.clear();
    },
    failNext: (path, how) => void failures.set(path, how),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    requests.push(`${request.method} ${url.pathname}`);
    const place = holds.findIndex(
      ({ path, method = request.method }) => path === url.pathname && method === request.method,
    );
    const [held] = place < 0 ? [] : holds.splice(place, 1);
    held?.ask();
    await held?.released;
    const failure = failures.get(url.pathname);
    failures.delete(url.pathname);
    if (failure === "cut") return void request.socket.destroy();
    if (failure !== undefined) return void response.writeHead(failure).end();
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (nulls) addNulls(response);
    if (url.pathname === "/mcp" || url.pathname === "/messages") {
      server.lastHeaders = request.headers;
      const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
      if (signIn && !access.has(token) && !elsewhere?.accepts(token)) {
        const metadata = elsewhere?.metadata?.() ?? `http://${request.headers.host}${resourceMetadata}`;
        response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
        return;
      }
      const body = request.method === "POST" ? await text(request) : "";
      if (
        callScope !== undefined &&
        body.includes('"tools/call"') &&
        access.get(token)?.scope !== callScope
      ) {
        const challenge = `Bearer error="insufficient_scope", scope="${callScope}"`;
        response.writeHead(403, { "www-authenticate": challenge }).end();
        return;
      }
      if (breaksCall !== null && body.includes('"tools/call"')) {
        const isCut = breaksCall === "cut";
        breaksCall = null;
        response.writeHead(200, { "content-type": "text/event-stream" });
        return void response.write(": working\n\n", () => (isCut ? response.destroy() : response.end()));
      }
      if (request.method === "GET") streams.add(response);
      const message: unknown = body === "" ? undefined : JSON.parse(body);
      return transport === "sse"
        ? await older(request, response, url, message)
        : await streamable(request, response, message);
    }
    // By whichever name it was asked.
    const resource = request.headers["x-asked-as"] ?? server.url;
    switch (signIn ? url.pathname : "") {
      case resourceMetadata:
        return void json(200, { resource, authorization_servers: [elsewhere?.issuer() ?? origin] });
      case "/.well-known/oauth-authorization-server":
        return void json(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          grant_types_supported: ["authorization_code", "refresh_token"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
      case "/register": {
        const asked = JSON.parse(await text(request));
        const client_id = randomUUID();
        clients.set(client_id, asked.redirect_uris);
        return void json(201, { ...asked, client_id });
      }
      case "/authorize": {
        const {
          client_id = "",
          redirect_uri = "",
          code_challenge = "",
          state = "",
          resource,
          scope = "",
        } = Object.fromEntries(url.searchParams);
        if (!clients.get(client_id)?.includes(redirect_uri))
          return void json(400, { error: "invalid_request" });
        if (resource !== server.url) return void json(400, { error: "invalid_target" });
        const back = new URL(redirect_uri);
        back.searchParams.set("state", state);
        const code = randomUUID();
        codes.set(code, { challenge: code_challenge, redirect: redirect_uri, client: client_id, scope });
        if (denies === undefined) back.searchParams.set("code", code);
        else back.searchParams.set("error", denies);
        return void response.writeHead(302, { location: back.href }).end();
      }
      case "/token": {
        const form = Object.fromEntries(new URLSearchParams(await text(request)));
        if (form.resource !== server.url) return void json(400, { error: "invalid_target" });
        const grant = grantOf(form);
        if (!grant) return void json(400, { error: "invalid_grant" });
        const [access_token, refresh_token] = [randomUUID(), randomUUID()];
        access.set(access_token, grant);
        const given = { access_token, token_type: "Bearer", expires_in: 3600 };
        if (!refreshTokens) return void json(200, given);
        refresh.set(refresh_token, grant);
        return void json(200, { ...given, refresh_token });
      }
      default:
        return void response.writeHead(404).end();
    }
  }

  /** Codes and refresh tokens are good once, and for the client that they were given to. */
  function grantOf({
    grant_type,
    client_id,
    code = "",
    code_verifier = "",
    redirect_uri,
    refresh_token = "",
  }: Record<string, string>): Grant | undefined {
    if (grant_type === "refresh_token") {
      // Used twice it was stolen: all that came of it is void (OAuth 2.1, 4.3.1).
      if (used.has(refresh_token)) server.revoke();
      used.add(refresh_token);
      const grant = refresh.get(refresh_token);
      refresh.delete(refresh_token);
      return grant?.client === client_id ? grant : undefined;
    }
    const known = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const isRight =
      known?.challenge === challenge && known.redirect === redirect_uri && known.client === client_id;
    return isRight ? { client: known.client, scope: known.scope } : undefined;
  }

  async function streamable(
    request: IncomingMessage,
    response: ServerResponse,
    message: unknown,
  ): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known instanceof StreamableHTTPServerTransport)
      return await known.handleRequest(request, response, message);
    if (id !== undefined) return void response.writeHead(unknownSession.status).end(unknownSession.body);
    const made = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: answersInJson,
      onsessioninitialized: (session) => void sessions.set(session, made),
    });
    await whoami().connect(made);
    await made.handleRequest(request, response, message);
  }

  async function older(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    message: unknown,
  ): Promise<void> {
    const known = sessions.get(url.searchParams.get("sessionId") ?? "");
    if (request.method === "POST" && known instanceof SSEServerTransport) {
      return await known.handlePostMessage(request, response, message);
    }
    if (request.method !== "GET") return void response.writeHead(405).end();
    const made = new SSEServerTransport("/messages", response);
    sessions.set(made.sessionId, made);
    await whoami().connect(made);
  }

  function whoami(): Server {
    const mcp = new Server({ name: "whoami", version: "1.0.0" }, { capabilities: { tools: {} } });
    mcp.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: "whoami", inputSchema: { type: "object" as const } }],
    }));
    mcp.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: "somebody" }] }));
    return mcp;
  }
}

/** What some servers' libraries write for what a result does not have. */
function addNulls(response: ServerResponse): void {
  const withNulls = (chunk: unknown) =>
    typeof chunk === "string" || chunk instanceof Uint8Array
      ? Buffer.from(chunk).toString().replace('"result":{', '"error":null,"result":{"_meta":null,')
      : chunk;
  const [writeHead, write, end] = [
    response.writeHead.bind(response),
    response.write.bind(response),
    response.end.bind(response),
  ];
  Object.assign(response, {
    // It grows.
    writeHead: (status: number, { "content-length": _, ...headers }: Record<string, string> = {}) =>
      writeHead(status, headers),
    write: (chunk: unknown) => write(withNulls(chunk)),
    end: (chunk?: unknown) => (chunk === undefined ? end() : end(withNulls(chunk))),
  });
}
