import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

/**
 * A message port as Electron's main and utility processes (`MessagePortMain`: listeners get `{data}`) and Node's
 * worker threads (listeners get the data itself) have it.
 */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  on(event: "message", listener: (event: unknown) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  start(): void;
  close(): void;
}

/** What a port delivered: Electron wraps it in an event with `data`, worker threads do not. */
export function messageData(event: unknown): unknown {
  return typeof event === "object" && event !== null && "data" in event ? event.data : event;
}

/**
 * MCP over a MessagePort, one JSON-RPC message a post. A message that is not JSON-RPC goes to `onerror`.
 * When either end closes its port, both see `onclose`, once.
 */
export class PortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #port: MessagePortLike;
  #closed = false;

  constructor(port: MessagePortLike) {
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#port.on("message", (event) => {
      const parsed = JSONRPCMessageSchema.safeParse(messageData(event));
      if (parsed.success) this.onmessage?.(parsed.data);
      else this.onerror?.(new Error(`Not a JSON-RPC message: ${parsed.error.message}`));
    });
    this.#port.on("close", () => this.#ended());
    this.#port.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("The port to the MCP server is closed.");
    this.#port.postMessage(message);
  }

  async close(): Promise<void> {
    this.#port.close();
    this.#ended();
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
