import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../../agent/ports/ports.ts";
import type { ServerProcess } from "../ports.ts";
import { LineReader } from "./reading/line-reader.ts";
import { readMessage } from "./reading/read-message.ts";

export interface StdioOptions {
  clock: Clock;
  /** A line on stdout that is no message: servers print there by mistake. */
  onNoise(line: string): void;
}

/** How long a server may take to end by itself when its input ends, in milliseconds. */
const endGraceMs = 800;

/**
 * MCP over the stdin and stdout of a program: one JSON-RPC message a line. Noise between the messages is passed over. The
 * end of the program, or of its output, is `onclose`, once.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #process: ServerProcess;
  readonly #options: StdioOptions;
  readonly #reader = new LineReader();
  #delivered: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(process: ServerProcess, options: StdioOptions) {
    this.#process = process;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { stdin, stdout, exited } = this.#process;
    stdin.on("error", (error: Error) => this.onerror?.(error));
    stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    stdout.on("error", (error: Error) => this.onerror?.(error));
    // What it wrote last may still be on its way when it has ended, and it may close its output and live on.
    stdout.once("close", () => this.#closed());
    stdout.once("end", () => this.#closed());
    exited
      .then(() => {
        if (stdout.destroyed) this.#closed();
      })
      .catch((error: Error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#process;
    if (this.#isClosed || !stdin.writable) throw new Error("The server has ended.");
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends its input, gives it a moment, then ends all that is left of it. */
  async close(): Promise<void> {
    const { stdin, exited } = this.#process;
    stdin.end();
    const patience = new AbortController();
    const late = this.#options.clock.sleep(endGraceMs, patience.signal).catch(() => {});
    await Promise.race([exited, late]);
    patience.abort();
    await this.#process.end();
    this.#closed();
  }

  #read(chunk: Buffer): void {
    let lines: string[];
    try {
      lines = this.#reader.push(chunk);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      void this.close();
      return;
    }
    for (const line of lines) {
      const message = readMessage(line);
      if (message) this.#deliver(message);
      else if (line.trim() !== "") this.#options.onNoise(line);
    }
  }

  /** One after the other: the SDK handles a notification a moment later, and a result before it would void its progress. */
  #deliver(message: JSONRPCMessage): void {
    this.#delivered = this.#delivered
      .then(() => this.onmessage?.(message))
      // One message that nobody can bear holds up neither the others nor the end.
      .catch((error: Error) => this.onerror?.(error));
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#delivered.then(() => this.onclose?.()).catch((error: Error) => this.onerror?.(error));
  }
}
