import { setTimeout as wait } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import {
  type ListDevicesResult,
  listModelsResult,
  modelResult,
  type StartSessionArguments,
  type SttModel,
  sttTool,
  type UpdateSessionArguments,
  type UpdateSessionResult,
  updateSessionResult,
} from "../../../shared/voice/stt.ts";
import {
  devicesAnswer,
  inSnakeCase,
  type StartAnswer,
  sessionIdIn,
  startAnswer,
  stopAnswer,
  type UpdatesAnswer,
  updatesAnswer,
} from "./server-answers.ts";

type ToolKey = keyof typeof sttTool;
const required = ["startSession", "getUpdates", "stopSession"] as const satisfies ToolKey[];

/**
 * How a call failed: `refused` = the server said so itself; `malformed` = its answer cannot be read; `late` = a session
 * took too long to start; `unsupported` = it does not do what Parley cannot do without.
 */
export type SttFailure = "refused" | "malformed" | "closed" | "timeout" | "late" | "unsupported";

export class SttError extends Error {
  override readonly name = "SttError";
  readonly kind: SttFailure;

  constructor(kind: SttFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

interface KnownTool {
  name: string;
  /** The arguments that the server's schema lists; others are not sent. null: it lists none, so all are. */
  accepts: ReadonlySet<string> | null;
}

/** Longest that any answer may take, in milliseconds, beyond what a long poll asks for. */
export const callTimeoutMs = 30_000;
/** So long a session that is late in starting is waited for, in milliseconds, to be stopped. */
const lateStartMs = 600_000;

export interface SttClientOptions {
  /** Longest that a session may take to start, in milliseconds. */
  startTimeoutMs?: number;
}

interface Answer {
  value: unknown;
  text: string;
  isError: boolean;
}

/**
 * The session tools of any MCP server, found by the ending of their names.
 * Every method throws `SttError`.
 */
export class SttClient {
  readonly #client: Client;
  readonly #tools: ReadonlyMap<ToolKey, KnownTool>;
  readonly #isOwn: boolean;
  readonly #startTimeoutMs: number;

  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;

  private constructor(
    client: Client,
    tools: ReadonlyMap<ToolKey, KnownTool>,
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
      await client.close();
      throw asSttError(error);
    }
  }

  /** Over a connection that somebody else has made, and ends. @throws SttError naming the tools that the server lacks */
  static async over(client: Client, closed: Promise<void>): Promise<SttClient> {
    try {
      return new SttClient(client, await findTools(client), closed, { isOwn: false });
    } catch (error) {
      throw asSttError(error);
    }
  }

  /** True where the server can wait for news, so that polling needs no pauses. */
  get canWait(): boolean {
    return this.#knows("getUpdates", "wait_ms");
  }

  /** True where the server can be told that the user talks by a key. */
  get canTalk(): boolean {
    return this.#knows("updateSession", "talking");
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
      throw new SttError("late", `The speech server did not start to listen within ${seconds} seconds.`);
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

  async stopSession(sessionId: string): Promise<void> {
    await this.#call("stopSession", { session_id: sessionId }, stopAnswer);
  }

  /** What is to change while the session listens. Refused where the server cannot. */
  updateSession(args: UpdateSessionArguments): Promise<UpdateSessionResult> {
    return this.#call("updateSession", args, updateSessionResult);
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

  async #endUnwanted({ value, text }: Answer): Promise<void> {
    const id = sessionIdIn(value, text);
    if (id !== null) await this.stopSession(id).catch(() => {});
  }

  #knows(key: ToolKey, argument: string): boolean {
    return this.#tools.get(key)?.accepts?.has(argument) ?? false;
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
    let result: z.infer<typeof CallToolResultSchema>;
    try {
      result = CallToolResultSchema.parse(
        await this.#client.callTool({ name: tool.name, arguments: argumentsFor(tool, args) }, undefined, {
          // One of its own for each request: the SDK never takes its listener off again.
          ...(signal ? { signal: AbortSignal.any([signal]) } : {}),
          timeout: timeoutMs,
        }),
      );
    } catch (error) {
      throw asSttError(error);
    }
    const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    const value = inSnakeCase(result.structuredContent ?? outermostJson(text));
    return { value, text, isError: result.isError ?? false };
  }
}

/** @throws SttError where the server refused, or its answer cannot be read */
function read<T>({ value, text, isError }: Answer, schema: z.ZodType<T>): T {
  if (isError) throw new SttError("refused", text || "The speech server reported an error.");
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SttError(
    "malformed",
    `The speech server's answer cannot be read: ${z.prettifyError(parsed.error)}`,
  );
}

/** What some servers call the number that is asked from. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  since_seq: ["since", "after_seq", "from_seq", "cursor"],
};
const letters = (name: string) => name.replaceAll("_", "").toLowerCase();

/** The arguments that the tool takes, by the names that it has for them. */
function argumentsFor({ accepts }: KnownTool, args: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  if (accepts === null) return Object.fromEntries(given);
  const nameFor = (name: string) =>
    [name, ...(otherNames[name] ?? [])]
      .map((one) => [...accepts].find((own) => letters(own) === letters(one)))
      .find((own) => own !== undefined);
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      const own = nameFor(name);
      return own === undefined ? [] : [[own, value]];
    }),
  );
}

/** @throws SttError naming the tools that the server lacks */
async function findTools(client: Client): Promise<Map<ToolKey, KnownTool>> {
  const found = new Map<ToolKey, KnownTool>();
  const { tools } = await client.listTools();
  for (const [key, suffix] of Object.entries(sttTool) as [ToolKey, string][]) {
    const tool = tools.find((candidate) => candidate.name.endsWith(suffix));
    if (!tool) continue;
    const names = Object.keys(tool.inputSchema.properties ?? {});
    found.set(key, { name: tool.name, accepts: names.length > 0 ? new Set(names) : null });
  }
  const missing = required.filter((key) => !found.has(key)).map((key) => `…${sttTool[key]}`);
  if (missing.length > 0) {
    const lacks = `The speech server lacks ${missing.join(", ")}. Choose another server for /voice.`;
    throw new SttError("refused", lacks);
  }
  return found;
}

/** Servers wrap their JSON in fences or log lines: what counts is the first `{` to the last `}`. */
export function outermostJson(text: string): unknown {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
}

function asSttError(error: unknown): SttError {
  if (error instanceof SttError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout) {
    return new SttError("timeout", "The speech server does not answer.", { cause: error });
  }
  if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed) {
    return new SttError("malformed", message, { cause: error });
  }
  return new SttError("closed", `The connection to the speech server is gone (${message}).`, {
    cause: error,
  });
}

/** A client that is made when first asked for, shared while its connection lives, and made anew after that. */
export function sharedClient(
  connectTransport: () => Promise<Transport>,
  options: SttClientOptions = {},
): () => Promise<SttClient> {
  let current: Promise<SttClient> | null = null;
  const connect = async () => {
    const client = await SttClient.connect(await connectTransport(), options);
    void client.closed.then(() => {
      current = null;
    });
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
