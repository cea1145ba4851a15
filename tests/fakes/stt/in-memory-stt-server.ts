import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** A speech server within the test's own process that answers whatever the test says, by the letter of the protocol. */
export interface InMemorySttServer {
  /** For a client. */
  transport: Transport;
  /** The tools that were called, with what they were given. */
  calls: { name: string; args: Record<string, unknown> }[];
  /** Requests that the client has called off. */
  cancelled(): number;
  close(): Promise<void>;
}

type Call = { name: string; args: Record<string, unknown> };

export interface InMemorySttOptions {
  /** The result of a call; what it throws is an error of the protocol, with its own `code`. */
  answer?(call: Call): unknown;
  /** The result of `tools/list`; by default three tools, of which only the second and third take anything. */
  list?(cursor: string | undefined): object;
}

const string = { type: "string" };
export const sttTools = (updates: object = { session_id: string }) =>
  [
    ["stt_start_session", { source: string }],
    ["stt_get_updates", updates],
    ["stt_stop_session", { session_id: string }],
  ].map(([name, properties]) => ({ name, inputSchema: { type: "object", properties } }));
export const asText = (value: unknown) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

export async function serveInMemory({
  answer = () => asText({}),
  list = () => ({ tools: sttTools() }),
}: InMemorySttOptions): Promise<InMemorySttServer> {
  const [transport, own] = InMemoryTransport.createLinkedPair();
  const calls: Call[] = [];
  let cancelled = 0;
  const resultOf = (method: string, params: Record<string, unknown>): unknown => {
    if (method === "tools/list") return list(params.cursor === undefined ? undefined : String(params.cursor));
    if (method !== "tools/call") {
      const serverInfo = { name: "in-memory", version: "1.0.0" };
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
    }
    const call = { name: String(params.name), args: { ...Object(params.arguments) } };
    calls.push(call);
    return answer(call);
  };
  own.onmessage = (message) => {
    if (!("method" in message)) return;
    if (message.method === "notifications/cancelled") cancelled += 1;
    if (!("id" in message)) return;
    const send = (reply: object) => own.send({ jsonrpc: "2.0", id: message.id, ...reply } as JSONRPCMessage);
    try {
      void send({ result: resultOf(message.method, { ...message.params }) });
    } catch (error) {
      const { code = -32603, message: text } = Object(error);
      void send({ error: { code, message: text } });
    }
  };
  await own.start();
  return { transport, calls, cancelled: () => cancelled, close: () => own.close() };
}
