import { setTimeout as wait } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";
import {
  type ListDevicesResult,
  listModelsResult,
  modelResult,
  type StartSessionArguments,
  type SttModel,
  sttTool,
  type UpdateSessionArguments,
} from "../../../shared/voice/stt.ts";
import {
  devicesAnswer,
  type StartAnswer,
  sessionIdIn,
  startAnswer,
  stopAnswer,
  type UpdatesAnswer,
  updatesAnswer,
} from "./server-answers.ts";
import { argumentsFor, canGoOn, type ListedTool, listTools, type ToolKey, toolFor } from "./session-tools.ts";
import { asSttError, isSttError, SttError } from "./stt-errors.ts";
import { type Answer, answerOf, read, toolResult } from "./tool-answers.ts";

export { SttError, type SttFailure } from "./stt-errors.ts";

const required = ["startSession", "getUpdates", "stopSession"] as const satisfies ToolKey[];

/** Longest that any answer may take, in milliseconds, beyond what a long poll asks for. */
export const callTimeoutMs = 30_000;
/** So long a session that is late in starting is waited for, in milliseconds, to be stopped. */
const lateStartMs = 600_000;
/** How often a server that cannot be reached is asked to stop: until then its microphone is open. */
const maxStopTries = 3;
/** Between them, in milliseconds. */
const stopPauseMs = 200;

export interface SttClientOptions {
  /** Longest that a session may take to start, in milliseconds. */
  startTimeoutMs?: number;
}

/**
 * The session tools of any MCP server, found by the ending of their names.
 * Every method throws `SttError`.
 */
export class SttClient {
  readonly #client: Client;
  readonly #tools: ReadonlyMap<ToolKey, ListedTool>;
  readonly #isOwn: boolean;
  readonly #startTimeoutMs: number;

  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;

  private constructor(
    client: Client,
    tools: ReadonlyMap<ToolKey, ListedTool>,
    closed: Promise<void>,
    { isOwn, startTimeoutMs = callTimeoutMs }: SttClientOptions & { isOwn: boolean },
  ) {
    this.#startTimeoutMs = startTimeoutMs;
    this.#isOwn = isOwn;
    this.#client = client;
    this.#tools = tools;
    this.closed = closed;
  }

  /** @throws SttError naming the tools that the server lacks */
  static async connect(transport: Transport, options: SttClientOptions = {}): Promise<SttClient> {
    const client = new Client({ name: "parley", version: "1.0.0" });
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    try {
      await client.connect(transport);
      return new SttClient(client, await findTools(client), closed, { ...options, isOwn: true });
    } catch (error) {
      const failure = asSttError(error, client);
      await client.close();
      throw failure;
    }
  }

  /** Over a connection that somebody else has made, and ends. @throws SttError naming the tools that the server lacks */
  static async over(client: Client, closed: Promise<void>): Promise<SttClient> {
    try {
      return new SttClient(client, await findTools(client), closed, { isOwn: false });
    } catch (error) {
      throw asSttError(error, client);
    }
  }

  /** True where the server can wait for news, so that polling needs no pauses. */
  get canWait(): boolean {
    return this.#knows("getUpdates", "wait_ms");
  }

  /** True where the server can be asked for what comes after a number. */
  get canGoOn(): boolean {
    return canGoOn(this.#tools.get("getUpdates"));
  }

  /** True where the server can be told that the user talks by a key. */
  get canTalk(): boolean {
    return this.#knows("updateSession", "talking");
  }

  /** True where the server can stop hearing and hear again, or does not say what it can. */
  get canMute(): boolean {
    const tool = this.#tools.get("updateSession");
    return (
      tool !== undefined &&
      (tool.inputSchema.properties === undefined || "muted" in tool.inputSchema.properties)
    );
  }

  /** True where a session that cannot be started muted can be muted as soon as it is there. */
  get mutesLater(): boolean {
    return !this.#knows("startSession", "muted") && this.#knows("updateSession", "muted");
  }

  /** True where the server takes over the user's words while it listens. */
  get canTeach(): boolean {
    return this.#knows("updateSession", "hot_words");
  }

  /** True where the server can say which devices there are. */
  get canListDevices(): boolean {
    return this.#tools.has("listDevices");
  }

  /** One that comes too late, or whose answer cannot be read, is stopped as soon as its id is known. */
  async startSession(args: Partial<StartSessionArguments>): Promise<StartAnswer> {
    const starting = this.#ask("startSession", args, { timeoutMs: lateStartMs });
    const timer = new AbortController();
    const isLate = wait(this.#startTimeoutMs, true, { signal: timer.signal, ref: false }).catch(() => false);
    const first = await Promise.race([starting, isLate]).finally(() => timer.abort());
    if (typeof first === "boolean") {
      void starting.then((answer) => this.#endUnwanted(answer)).catch(() => {});
      const seconds = Math.round(this.#startTimeoutMs / 1000);
      throw new SttError("late", `The speech server did not start listening within ${seconds} seconds.`);
    }
    try {
      return read(first, startAnswer);
    } catch (error) {
      await this.#endUnwanted(first);
      throw error;
    }
  }

  getUpdates(
    args: { session_id: string; since_seq: number; limit?: number; wait_ms?: number },
    signal?: AbortSignal,
  ): Promise<UpdatesAnswer> {
    return this.#call("getUpdates", args, updatesAnswer, { signal, extraMs: args.wait_ms });
  }

  /** Asked again where the server cannot be reached. */
  async stopSession(sessionId: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#call("stopSession", { session_id: sessionId }, stopAnswer);
        return;
      } catch (error) {
        if (tries === maxStopTries || !isSttError(error, "unreachable")) throw error;
        await wait(stopPauseMs);
      }
    }
  }

  /** What is to change while the session listens. Of the answer only a refusal matters. */
  async updateSession(args: UpdateSessionArguments): Promise<void> {
    await this.#call("updateSession", args, z.unknown());
  }

  listDevices(): Promise<ListDevicesResult> {
    return this.#call("listDevices", {}, devicesAnswer);
  }

  /** Models that can be downloaded, and how each stands. */
  async listModels(): Promise<SttModel[]> {
    return (await this.#call("listModels", {}, listModelsResult)).models;
  }

  /** Begins a download, or goes on with one; `listModels` tells how far it is. */
  async downloadModel(model: string): Promise<SttModel> {
    return (await this.#call("downloadModel", { model }, modelResult)).model;
  }

  async pauseDownload(model: string): Promise<SttModel> {
    return (await this.#call("pauseDownload", { model }, modelResult)).model;
  }

  /** Takes it off the disk, or ends its download. */
  async deleteModel(model: string): Promise<SttModel> {
    return (await this.#call("deleteModel", { model }, modelResult)).model;
  }

  async close(): Promise<void> {
    if (this.#isOwn) await this.#client.close();
  }

  async #endUnwanted({ values, text, isError }: Answer): Promise<void> {
    // The session that a refusal names is another one.
    if (isError) return;
    const id = sessionIdIn(values, text);
    if (id !== null) await this.stopSession(id).catch(() => {});
  }

  #knows(key: ToolKey, argument: string): boolean {
    return argument in (this.#tools.get(key)?.inputSchema.properties ?? {});
  }

  async #call<T>(
    key: ToolKey,
    args: Record<string, unknown>,
    schema: z.ZodType<T>,
    options: { signal?: AbortSignal | undefined; extraMs?: number | undefined } = {},
  ): Promise<T> {
    const { signal, extraMs = 0 } = options;
    return read(await this.#ask(key, args, { signal, timeoutMs: callTimeoutMs + extraMs }), schema);
  }

  async #ask(
    key: ToolKey,
    args: Record<string, unknown>,
    { signal, timeoutMs }: { signal?: AbortSignal | undefined; timeoutMs: number },
  ): Promise<Answer> {
    const tool = this.#tools.get(key);
    if (!tool) throw new SttError("refused", `The speech server has no tool …${sttTool[key]}.`);
    const params = { name: tool.name, arguments: argumentsFor(tool, args) };
    // One of its own for each request: the SDK never takes its listener off again.
    const request = new AbortController();
    const abort = () => request.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      const options = { signal: request.signal, timeout: timeoutMs };
      return answerOf(await this.#client.request({ method: "tools/call", params }, toolResult, options));
    } catch (error) {
      throw asSttError(error, this.#client);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

/** @throws SttError naming the tools that the server lacks */
async function findTools(client: Client): Promise<Map<ToolKey, ListedTool>> {
  const found = new Map<ToolKey, ListedTool>();
  const tools = await listTools(client);
  for (const key of Object.keys(sttTool) as ToolKey[]) {
    const tool = toolFor(key, tools);
    if (tool) found.set(key, tool);
  }
  const missing = required.filter((key) => !found.has(key)).map((key) => `…${sttTool[key]}`);
  if (missing.length > 0) {
    const lacks = `The speech server does not have ${missing.join(", ")}. Choose another server for /voice.`;
    throw new SttError("refused", lacks);
  }
  return found;
}

/** A client that is made when first asked for, shared while its connection lives, and made anew after that. */
export function sharedClient(
  connectTransport: () => Promise<Transport>,
  options: SttClientOptions = {},
): () => Promise<SttClient> {
  let current: Promise<SttClient> | null = null;
  const connect = async () => {
    const client = await SttClient.connect(await connectTransport(), options);
    const forget = () => {
      current = null;
    };
    client.closed.then(forget, forget);
    return client;
  };
  return () => {
    current ??= connect().catch((error: unknown) => {
      current = null;
      throw error;
    });
    return current;
  };
}
