import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  type GetPromptResult,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  type Progress,
  type Prompt,
  PromptListChangedNotificationSchema,
  PromptSchema,
  type ReadResourceResult,
  type Resource,
  ResourceSchema,
  type Tool as ServerTool,
  ToolListChangedNotificationSchema,
  ToolSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { answerRequests, capabilitiesOf } from "./client-requests.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { isLostSession } from "./http-transport.ts";
import { type TimeLimit, withTimeLimit } from "./time-limit.ts";
import { openTransport } from "./transport.ts";

export interface CallOptions {
  signal: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** A call that came to nothing because the connection did: the server is started again. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** One connection to one server, from its start to its end. A server that is started again gets a new one. */
export class Connection {
  readonly client: Client;
  readonly #options: ConnectionOptions;
  /** The server does not know this session any more: nothing is wrong with it. */
  isForgotten = false;
  /** What the server asked and waits for. */
  #asked = 0;
  /** What the user, or the model that they let, wants of the server at this moment. */
  #wanted = 0;
  #tools: ServerTool[] = [];
  #prompts: Prompt[] = [];
  #dispose: () => Promise<void> = async () => {};
  #markClosed: () => void = () => {};

  /** Resolves when it is gone, for whatever reason. */
  readonly closed = new Promise<void>((resolve) => {
    this.#markClosed = resolve;
  });

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    const { asker, context } = options;
    this.client = new Client(
      { name: "parley", title: "Parley", version: context.version },
      { capabilities: capabilitiesOf(context) },
    );
    // What is said of one message; the connection goes on.
    this.client.onerror = (error) => {
      if (!isLateProgress(error)) options.log.add(`(Parley) ${error.message}`);
    };
    answerRequests(this.client, asker, context, () => {
      this.#asked++;
      return () => {
        this.#asked--;
      };
    });
  }

  /** @throws Error in words for the user; NeedsSignIn */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    try {
      const { entry, context, signal } = options;
      const ms = entry.startTimeoutMs;
      const message = `It did not start within ${ms / 1000} s.`;
      await withTimeLimit({ clock: context.clock, ms, signal, message }, (start) => connection.#start(start));
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  get tools(): readonly ServerTool[] {
    return this.#tools;
  }

  get prompts(): readonly Prompt[] {
    return this.#prompts;
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  /** @throws ConnectionLost; McpError when the server refuses the call or does not answer in time */
  async callTool(name: string, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult> {
    return await this.#askFor(
      (limit) =>
        this.client.request(
          { method: "tools/call", params: { name, arguments: args } },
          CallToolResultSchema,
          {
            ...limitsOf(limit),
            onprogress: (progress) => {
              limit.touch();
              options.onProgress?.(progress);
            },
          },
        ),
      options.signal,
    );
  }

  async getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<GetPromptResult> {
    return await this.#askFor(
      (limit) => this.client.getPrompt({ name, arguments: args }, limitsOf(limit)),
      signal,
    );
  }

  async listResources(signal: AbortSignal): Promise<Resource[]> {
    if (!this.client.getServerCapabilities()?.resources) return [];
    return await this.#list("resources/list", "resources", ResourceSchema, signal);
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return await this.#askFor((limit) => this.client.readResource({ uri }, limitsOf(limit)), signal);
  }

  /** Tells the server that the working folder is another one. */
  async rootsChanged(): Promise<void> {
    await this.client.sendRootsListChanged();
  }

  /** Ends the server with everything that it started. */
  async close(): Promise<void> {
    await this.client.close();
    await this.#dispose();
    this.#markClosed();
  }

  async #start(start: TimeLimit): Promise<void> {
    const { log } = this.#options;
    this.client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => log.add(loggedLine(note)));
    this.client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#refresh("tools"));
    this.client.setNotificationHandler(PromptListChangedNotificationSchema, () => this.#refresh("prompts"));
    const mayAsk = () => this.#options.mayAsk() || this.#wanted > 0;
    this.#dispose = await openTransport({ ...this.#options, mayAsk }, start, async (transport) => {
      await this.client.connect(transport, limitsOf(start));
    });
    // Not before: a transport that came to nothing closes, too.
    this.client.onclose = () => this.#markClosed();
    if (!this.client.transport) this.#markClosed();
    await this.#loadTools(start.signal);
    await this.#loadPrompts(start.signal);
  }

  async #loadTools(signal: AbortSignal): Promise<void> {
    if (!this.client.getServerCapabilities()?.tools) return;
    this.#tools = await this.#list("tools/list", "tools", ToolSchema, signal);
  }

  async #loadPrompts(signal: AbortSignal): Promise<void> {
    if (!this.client.getServerCapabilities()?.prompts) return;
    this.#prompts = await this.#list("prompts/list", "prompts", PromptSchema, signal);
  }

  async #refresh(what: "tools" | "prompts"): Promise<void> {
    const { log, onListChanged } = this.#options;
    const signal = AbortSignal.timeout(this.#options.entry.timeoutMs);
    try {
      await (what === "tools" ? this.#loadTools(signal) : this.#loadPrompts(signal));
      onListChanged();
    } catch (error) {
      log.add(`(Parley) The new list of ${what} cannot be read: ${String(error)}`);
    }
  }

  /** Every page. One entry that breaks the rules is left out; it must not take the others with it. */
  async #list<T>(method: string, key: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T[]> {
    const page = z.looseObject({ [key]: z.array(z.unknown()), nextCursor: z.string().optional() });
    const all: T[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < maxPages; pages++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer: Record<string, unknown> = await this.#ask(
        (limit) => this.client.request({ method, params }, page, limitsOf(limit)),
        signal,
      );
      for (const item of z.array(z.unknown()).parse(answer[key])) {
        const parsed = schema.safeParse(item);
        if (parsed.success) all.push(parsed.data);
        else this.#options.log.add(`(Parley) Left out of ${method}: ${z.prettifyError(parsed.error)}`);
      }
      cursor = typeof answer.nextCursor === "string" ? answer.nextCursor : undefined;
      if (cursor === undefined) break;
    }
    return all;
  }

  /** For somebody: whoever wants it may be sent to sign in. */
  async #askFor<T>(send: (limit: TimeLimit) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#wanted++;
    try {
      return await this.#ask(send, signal);
    } finally {
      this.#wanted--;
    }
  }

  async #ask<T>(send: (limit: TimeLimit) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock } = this.#options.context;
    const ms = this.#options.entry.timeoutMs;
    const message = `The server did not answer within ${ms / 1000} s.`;
    try {
      return await withTimeLimit({ clock, ms, signal, message }, (limit) => {
        limit.setWaiting(() => this.#asked > 0 || this.#options.isWaiting());
        return send(limit);
      });
    } catch (error) {
      if (!isLostSession(error, this.client.transport)) throw error;
      this.isForgotten = true;
      void this.close();
      throw new ConnectionLost("The server has forgotten this session.", { cause: error });
    }
  }
}

/** Of a call that was ended: not every server stops then, and each further step would be a line. */
const isLateProgress = ({ message }: Error) => message.startsWith("Received a progress notification for an");

/** Our own limit holds: the user may be busy with a sign-in or with a question. */
const limitsOf = ({ signal }: TimeLimit): RequestOptions => ({ signal, timeout: 2 ** 31 - 1 });

/** A server whose pages never end is not read for ever. */
const maxPages = 100;

function loggedLine({ params: { level, logger, data } }: LoggingMessageNotification): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `[${level}]${logger ? ` ${logger}:` : ""} ${text}`;
}
