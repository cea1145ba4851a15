import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  McpError,
  type Progress,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { answerRequests, capabilitiesOf } from "./client-requests.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { isLostSession, SseTransport } from "./http/http-transport.ts";
import { KeptList } from "./reading/kept-list.ts";
import {
  type ListedPrompt,
  type ListedResource,
  type ListedTool,
  listedPrompt,
  listedResource,
  listedTool,
} from "./reading/listed.ts";
import { type ListRequest, readList, type ServerList } from "./reading/read-list.ts";
import {
  type CallResult,
  type PromptMessage,
  type ResourceContents,
  readContents,
  readPrompt,
  readResult,
} from "./reading/read-result.ts";
import { type TimeLimit, withTimeLimit } from "./time-limit.ts";
import { type OpenedTransport, openTransport } from "./transport.ts";

export interface CallOptions {
  signal: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** Steps of one call that are told in a second: each is an event for every window. */
const maxToldPerSecond = 10;

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
  /** How many questions of the server wait for the user. */
  readonly #asked: () => number;
  /** What the user, or the model that they let, wants of the server at this moment. */
  #wanted = 0;
  readonly #tools: KeptList<ListedTool>;
  readonly #prompts: KeptList<ListedPrompt>;
  #opened: OpenedTransport | null = null;
  readonly #ended = new AbortController();

  /** Resolves when it is gone, for whatever reason. */
  readonly closed = new Promise<void>((resolve) => {
    this.#ended.signal.addEventListener("abort", () => resolve(), { once: true });
  });

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#tools = this.#keptList("tools", (signal) =>
      this.#list({ key: "tools", schema: listedTool, identity: ({ name }) => name }, signal),
    );
    this.#prompts = this.#keptList("prompts", (signal) =>
      this.#list({ key: "prompts", schema: listedPrompt, identity: ({ name }) => name }, signal),
    );
    const { asker, context } = options;
    this.client = new Client(
      { name: "parley", title: "Parley", version: context.version },
      { capabilities: capabilitiesOf(context) },
    );
    // What is said of one message; the connection goes on.
    this.client.onerror = (error) => {
      if (!isLateProgress(error)) options.log.say(error.message);
    };
    this.#asked = answerRequests(this.client, asker, context);
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

  get tools(): readonly ListedTool[] {
    return this.#tools.items;
  }

  /** Tools that no model can be offered, and why. */
  get leftOut(): readonly string[] {
    return this.#tools.leftOut;
  }

  get prompts(): readonly ListedPrompt[] {
    return this.#prompts.items;
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  /** @throws ConnectionLost; McpError when the server refuses the call or does not answer in time */
  async callTool(name: string, args: Record<string, unknown>, options: CallOptions): Promise<CallResult> {
    const ended = new AbortController();
    const tell = this.#paced((progress: Progress) => options.onProgress?.(progress), ended.signal);
    try {
      const answer = await this.#askFor(
        (limit) =>
          this.client.request({ method: "tools/call", params: { name, arguments: args } }, anyAnswer, {
            ...limitsOf(limit),
            onprogress: (progress) => {
              limit.touch();
              tell(progress);
            },
          }),
        options.signal,
      );
      return readResult(answer);
    } finally {
      ended.abort();
    }
  }

  async getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<PromptMessage[]> {
    const request = { method: "prompts/get", params: { name, arguments: args } } as const;
    return readPrompt(
      await this.#askFor((limit) => this.client.request(request, anyAnswer, limitsOf(limit)), signal),
    );
  }

  async listResources(signal: AbortSignal): Promise<readonly ListedResource[]> {
    const resources = {
      key: "resources",
      schema: listedResource,
      identity: ({ uri }: ListedResource) => uri,
    } as const;
    return (await this.#list(resources, signal)).items;
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ResourceContents[]> {
    const request = { method: "resources/read", params: { uri } } as const;
    const answer = await this.#askFor(
      (limit) => this.client.request(request, anyAnswer, limitsOf(limit)),
      signal,
    );
    return readContents(answer, uri);
  }

  /** Tells so many in a second, and then the newest of the others. */
  #paced<T>(tell: (one: T) => void, ended: AbortSignal): (one: T) => void {
    let told = 0;
    let newest: [T] | null = null;
    const pass = (one: T) => {
      if (told === maxToldPerSecond) {
        newest = [one];
        return;
      }
      if (told === 0) void pause().catch(() => {});
      told++;
      tell(one);
    };
    const pause = async () => {
      await this.#options.context.clock.sleep(1000, ended);
      told = 0;
      const left = newest;
      newest = null;
      if (left) pass(...left);
    };
    return pass;
  }

  /** Tells the server that the working folder is another one. */
  async rootsChanged(): Promise<void> {
    await this.client.sendRootsListChanged();
  }

  /** Ends the server with everything that it started. */
  async close(): Promise<void> {
    try {
      // What cannot be closed in order is ended below.
      await this.client.close().catch((error: unknown) => this.#options.log.say(String(error)));
      await this.#opened?.end();
    } finally {
      this.#ended.abort();
    }
  }

  async #start(start: TimeLimit): Promise<void> {
    const { log } = this.#options;
    this.client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => log.add(loggedLine(note)));
    this.client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#tools.changed());
    this.client.setNotificationHandler(PromptListChangedNotificationSchema, () => this.#prompts.changed());
    const mayAsk = () => this.#options.mayAsk() || this.#wanted > 0;
    this.#opened = await openTransport({ ...this.#options, mayAsk }, start, async (transport) => {
      this.#watch(transport);
      await this.client.connect(transport, limitsOf(start));
    });
    // Not before: a transport that came to nothing closes, too.
    this.client.onclose = () => this.#ended.abort();
    if (!this.client.transport) this.#ended.abort();
    await this.#tools.load(start.signal);
    await this.#loadPrompts(start.signal);
  }

  /** Not every server that says it has prompts knows how they are asked for: its tools are there all the same. */
  async #loadPrompts(signal: AbortSignal): Promise<void> {
    try {
      await this.#prompts.load(signal);
    } catch (error) {
      const isOfTheList = error instanceof McpError || error instanceof z.ZodError;
      if (!isOfTheList || signal.aborted || !this.client.transport) throw error;
      this.#options.log.say(`The list of prompts cannot be read: ${error.message}`);
    }
  }

  /** Whoever uses the client by themselves, as voice does, may be the first to meet a forgotten session. */
  #watch(transport: Transport): void {
    if (transport instanceof SseTransport) transport.onCut = () => this.#forgotten();
    const send = transport.send.bind(transport);
    transport.send = async (...message) => {
      try {
        await send(...message);
      } catch (error) {
        if (isLostSession(error, transport)) this.#forgotten();
        throw error;
      }
    };
  }

  #forgotten(): void {
    this.isForgotten = true;
    // Whoever asked is told why first.
    setImmediate(() => void this.close());
  }

  #keptList<T>(what: string, read: (signal: AbortSignal) => Promise<ServerList<T>>): KeptList<T> {
    return new KeptList({
      clock: this.#options.context.clock,
      ended: this.#ended.signal,
      read,
      onChange: () => this.#options.onListChanged(),
      onFailure: (error) => this.#options.log.say(`The list of ${what} cannot be read: ${String(error)}`),
    });
  }

  async #list<T>(
    list: Pick<ListRequest<T>, "schema" | "identity"> & { key: "tools" | "prompts" | "resources" },
    signal: AbortSignal,
  ): Promise<ServerList<T>> {
    if (!this.client.getServerCapabilities()?.[list.key]) return { items: [], leftOut: [] };
    const method = `${list.key}/list`;
    const found = await readList({
      ...list,
      ask: (params) =>
        this.#ask((limit) => this.client.request({ method, params }, anyAnswer, limitsOf(limit)), signal),
    });
    for (const why of found.leftOut) this.#options.log.say(`Left out of ${method}: ${why}`);
    return found;
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

  /** Whether the user is busy with what it asks. */
  get #isWaiting(): boolean {
    return this.#asked() > 0 || this.#options.isWaiting() || (this.#opened?.isSigningIn() ?? false);
  }

  async #ask<T>(send: (limit: TimeLimit) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock } = this.#options.context;
    const ms = this.#options.entry.timeoutMs;
    const message = `The server did not answer within ${ms / 1000} s.`;
    try {
      return await withTimeLimit({ clock, ms, signal, message }, (limit) => {
        limit.setWaiting(() => this.#isWaiting);
        return send(limit);
      });
    } catch (error) {
      if (!isLostSession(error, this.client.transport)) throw error;
      throw new ConnectionLost("The server has forgotten this session.", { cause: error });
    }
  }
}

/** Of a call that was ended: not every server stops then, and each further step would be a line. */
const isLateProgress = ({ message }: Error) => message.startsWith("Received a progress notification for an");

/** Our own limit holds: the user may be busy with a sign-in or with a question. */
const limitsOf = ({ signal }: TimeLimit): RequestOptions => ({ signal, timeout: 2 ** 31 - 1 });

const anyAnswer = z.looseObject({});

function loggedLine({ params: { level, logger, data } }: LoggingMessageNotification): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `[${level}]${logger ? ` ${logger}:` : ""} ${text}`;
}
