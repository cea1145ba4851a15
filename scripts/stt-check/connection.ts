import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { z } from "zod";
import {
  argumentsFor,
  canGoOn,
  type ListedTool,
  listTools,
  type ToolKey,
  toolFor,
} from "../../electron/voice/stt/session-tools.ts";
import { structuredValues, textOf, toolResult } from "../../electron/voice/stt/tool-answers.ts";
import { sttTool } from "../../shared/voice/stt.ts";
import { Failure, must } from "./checks.ts";

/** Longest that any answer may take, in milliseconds. */
export const callTimeoutMs = 30_000;

export interface Answer {
  /** The structured content, or what the text is as JSON; undefined where it is neither. */
  value: unknown;
  text: string;
  isError: boolean;
  /** How long it took. */
  ms: number;
}

/** Where the server is: a program to start, or an address that one answers at. */
export type ServerPlace =
  | { command: string; args: string[] }
  | { url: URL; headers: Readonly<Record<string, string>> };

/** A server that runs, over standard input and output or over Streamable HTTP. */
export class Connection {
  readonly #client = new Client({ name: "parley-stt-check", version: "1.0.0" });
  readonly #transport: StdioClientTransport | StreamableHTTPClientTransport;
  #tools: readonly ListedTool[] = [];
  /** What came on standard output and is no message of the protocol. */
  readonly noise: string[] = [];

  private constructor(place: ServerPlace) {
    if ("url" in place) {
      this.#transport = new StreamableHTTPClientTransport(place.url, {
        requestInit: { headers: { ...place.headers } },
      });
      return;
    }
    const { command, args } = place;
    const env = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    this.#transport = new StdioClientTransport({ command, args, env, stderr: "ignore" });
  }

  /** @throws where it does not start, or speaks no MCP */
  static async open(place: ServerPlace): Promise<Connection> {
    const connection = new Connection(place);
    connection.#client.onerror = (error) => connection.noise.push(error.message);
    await connection.#client.connect(connection.#transport, { timeout: callTimeoutMs });
    connection.#tools = await listTools(connection.#client);
    return connection;
  }

  tool(key: ToolKey): ListedTool | undefined {
    return toolFor(key, this.#tools);
  }

  /** Whether Parley asks it for what comes after a number, and so trusts its numbers. */
  get canGoOn(): boolean {
    return canGoOn(this.tool("getUpdates"));
  }

  /** Whether the tool's schema lists this argument. */
  takes(key: ToolKey, argument: string): boolean {
    return argument in (this.tool(key)?.inputSchema.properties ?? {});
  }

  /** Arguments are sent as Parley sends them: what the tool does not list is left out. @throws Failure where there is no answer */
  async ask(key: ToolKey, args: Record<string, unknown>, timeoutMs = callTimeoutMs): Promise<Answer> {
    const tool = this.tool(key);
    if (!tool) throw new Failure(`There is no tool …${sttTool[key]}.`);
    const params = { name: tool.name, arguments: argumentsFor(tool, args) };
    const startedAt = performance.now();
    try {
      const request = { method: "tools/call", params };
      const result = await this.#client.request(request, toolResult, { timeout: timeoutMs });
      const text = textOf(result.content);
      const value = structuredValues(result.structuredContent)[0] ?? jsonOf(text);
      return { value, text, isError: result.isError ?? false, ms: performance.now() - startedAt };
    } catch (error) {
      const ms = Math.round(performance.now() - startedAt);
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure(
        `${tool.name} gave no answer within ${ms} ms (${why}). Answer every call, at least with \`isError\`.`,
      );
    }
  }

  /** @returns how long the program took to end by itself, in milliseconds; null where it had to be ended */
  async close(): Promise<number | null> {
    const startedAt = performance.now();
    if (this.#transport instanceof StreamableHTTPClientTransport) await this.#transport.terminateSession();
    await this.#client.close();
    const ms = performance.now() - startedAt;
    return ms < graceMs ? ms : null;
  }
}

/** So long the official client waits before it ends a server by a signal. */
const graceMs = 1_900;

/** The answer as the schema wants it. @throws Failure naming what is not so */
export function read<T>({ value, text, isError }: Answer, schema: z.ZodType<T>, what: string): T {
  must(!isError, `${what} was refused: ${text.slice(0, 300)}`);
  must(
    value !== undefined,
    `${what} answers with what is no JSON (“${text.slice(0, 80)}”). Send an object, as \`structuredContent\` or as text.`,
  );
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `\`${path.join(".") || "the answer"}\`: ${message}`,
  );
  throw new Failure(
    `${what} answers ${JSON.stringify(value).slice(0, 160)}. ${faults.slice(0, 4).join("; ")}.`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
