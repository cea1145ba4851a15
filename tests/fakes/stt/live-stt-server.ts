import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** A speech server that hears what the test says, when the test says it: a real MCP server over Streamable HTTP. */
export interface LiveSttServer {
  url: string;
  /** One finished utterance in the session that goes on. @throws Error while none does */
  say(text: string): void;
  /** An `info` of the session that goes on. @throws Error while none does */
  tell(message: string, payload?: object): void;
  /** A session goes on. */
  isListening(): boolean;
  close(): Promise<void>;
}

interface Session {
  events: Record<string, unknown>[];
  isStopped: boolean;
  /** The first question for news is answered at once: it listens. */
  isAsked: boolean;
  /** Those who wait for news. */
  waiting: (() => void)[];
}

const types = {
  stt_start_session: { source: "string", endpointing_ms: "number" },
  stt_get_updates: { session_id: "string", since_seq: "number", limit: "number", wait_ms: "number" },
  stt_get_session: { session_id: "string" },
  stt_stop_session: { session_id: "string" },
  stt_update_session: { session_id: "string", muted: "boolean" },
} as const;

const tools = Object.entries(types).map(([name, properties]) => ({
  name,
  inputSchema: {
    type: "object" as const,
    properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
  },
}));

export async function serveLiveStt(): Promise<LiveSttServer> {
  const sessions = new Map<string, Session>();
  const wake = (session: Session) => {
    for (const told of session.waiting.splice(0)) told();
  };
  const current = () => [...sessions.values()].findLast(({ isStopped }) => !isStopped);
  const call = async (name: string, args: Record<string, unknown>): Promise<object> => {
    if (name === "stt_start_session") {
      const id = `s${sessions.size + 1}`;
      sessions.set(id, { events: [], isStopped: false, isAsked: false, waiting: [] });
      return { session_id: id, status: "running", source: args.source };
    }
    const id = String(args.session_id);
    const session = sessions.get(id);
    if (!session) throw new Error(`There is no session ${id}.`);
    if (name === "stt_stop_session") {
      session.isStopped = true;
      wake(session);
    }
    const since = Number(args.since_seq ?? 0);
    const news = () => session.events.filter(({ seq }) => Number(seq) > since);
    if (name === "stt_get_updates") {
      const waits = session.isAsked && news().length === 0 && !session.isStopped;
      session.isAsked = true;
      if (waits) await new Promise<void>((resolve) => session.waiting.push(resolve));
    }
    return {
      ...{ session_id: id, status: session.isStopped ? "stopped" : "running", muted: args.muted === true },
      ...(name === "stt_get_updates" && { events: news(), next_seq: Math.max(since, session.events.length) }),
    };
  };

  const transports = new Map<string, StreamableHTTPServerTransport>();
  const transportFor = async (request: IncomingMessage) => {
    const known = transports.get(String(request.headers["mcp-session-id"] ?? ""));
    if (known) return known;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    const server = new Server({ name: "live", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
      content: [{ type: "text", text: JSON.stringify(await call(params.name, params.arguments ?? {})) }],
    }));
    await server.connect(transport);
    return transport;
  };
  const http = createServer(async (request, response) => {
    await (await transportFor(request)).handleRequest(request, response);
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const address = http.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const append = (event: object) => {
    const session = current();
    if (!session) throw new Error("Nobody listens.");
    const timestamp_utc = new Date().toISOString();
    session.events.push({ seq: session.events.length + 1, timestamp_utc, ...event });
    wake(session);
  };
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    say: (text) => append({ type: "utterance_final", text, confidence: 0.9 }),
    tell: (message, payload) => append({ type: "info", message, payload }),
    isListening: () => current() !== undefined,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
