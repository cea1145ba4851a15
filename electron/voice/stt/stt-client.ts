import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import {
  type GetUpdatesResult,
  getUpdatesResult,
  type ListDevicesResult,
  listDevicesResult,
  listModelsResult,
  modelResult,
  type StartSessionArguments,
  type StartSessionResult,
  type StopSessionResult,
  type SttModel,
  startSessionResult,
  stopSessionResult,
  sttTool,
  type UpdateSessionArguments,
  type UpdateSessionResult,
  updateSessionResult,
} from "../../../shared/voice/stt.ts";

type ToolKey = keyof typeof sttTool;
const required = ["startSession", "getUpdates", "getSession", "stopSession"] as const satisfies ToolKey[];

/** How a call failed: `refused` = the server said so itself; `malformed` = its answer cannot be read. */
export type SttFailure = "refused" | "malformed" | "closed" | "timeout";

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
  /** The arguments that the server's schema lists; others are not sent. */
  accepts: ReadonlySet<string>;
}

/** Longest that any answer may take, in milliseconds, beyond what a long poll asks for. */
export const callTimeoutMs = 30_000;

/**
 * The session tools of any MCP server, found by the ending of their names.
 * Every method throws `SttError`.
 */
export class SttClient {
  readonly #client: Client;
  readonly #tools: ReadonlyMap<ToolKey, KnownTool>;
  readonly #isOwn: boolean;

  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;

  private constructor(
    client: Client,
    tools: ReadonlyMap<ToolKey, KnownTool>,
    closed: Promise<void>,
    isOwn: boolean,
  ) {
    this.#isOwn = isOwn;
    this.#client = client;
    this.#tools = tools;
    this.closed = closed;
  }

  /** @throws SttError naming the tools that the server lacks */
  static async connect(transport: Transport): Promise<SttClient> {
    const client = new Client({ name: "parley", version: "1.0.0" });
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    try {
      await client.connect(transport);
      return new SttClient(client, await findTools(client), closed, true);
    } catch (error) {
      await client.close();
      throw asSttError(error);
    }
  }

  /** Over a connection that somebody else has made, and ends. @throws SttError naming the tools that the server lacks */
  static async over(client: Client, closed: Promise<void>): Promise<SttClient> {
    try {
      return new SttClient(client, await findTools(client), closed, false);
    } catch (error) {
      throw asSttError(error);
    }
  }

  /** True where the server can wait for news, so that polling needs no pauses. */
  get canWait(): boolean {
    return this.#tools.get("getUpdates")?.accepts.has("wait_ms") ?? false;
  }

  /** True where the server can be told that the user talks by a key. */
  get canTalk(): boolean {
    return this.#tools.get("updateSession")?.accepts.has("talking") ?? false;
  }

  startSession(args: Partial<StartSessionArguments>): Promise<StartSessionResult> {
    return this.#call("startSession", args, startSessionResult);
  }

  getUpdates(
    args: { session_id: string; since_seq: number; limit?: number; wait_ms?: number },
    signal?: AbortSignal,
  ): Promise<GetUpdatesResult> {
    return this.#call("getUpdates", args, getUpdatesResult, { signal, extraMs: args.wait_ms });
  }

  stopSession(sessionId: string): Promise<StopSessionResult> {
    return this.#call("stopSession", { session_id: sessionId }, stopSessionResult);
  }

  /** What is to change while the session listens. Refused where the server cannot. */
  updateSession(args: UpdateSessionArguments): Promise<UpdateSessionResult> {
    return this.#call("updateSession", args, updateSessionResult);
  }

  listDevices(): Promise<ListDevicesResult> {
    return this.#call("listDevices", {}, listDevicesResult);
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

  async #call<T>(
    key: ToolKey,
    args: Record<string, unknown>,
    schema: z.ZodType<T>,
    options: { signal?: AbortSignal | undefined; extraMs?: number | undefined } = {},
  ): Promise<T> {
    const tool = this.#tools.get(key);
    if (!tool) throw new SttError("refused", `The speech server has no tool …${sttTool[key]}.`);
    const known = Object.fromEntries(
      Object.entries(args).filter(([name, value]) => tool.accepts.has(name) && value !== undefined),
    );
    let result: z.infer<typeof CallToolResultSchema>;
    try {
      result = CallToolResultSchema.parse(
        await this.#client.callTool({ name: tool.name, arguments: known }, undefined, {
          // One of its own for each request: the SDK never takes its listener off again.
          ...(options.signal ? { signal: AbortSignal.any([options.signal]) } : {}),
          timeout: callTimeoutMs + (options.extraMs ?? 0),
        }),
      );
    } catch (error) {
      throw asSttError(error);
    }
    const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    if (result.isError) throw new SttError("refused", text || "The speech server reported an error.");
    const parsed = schema.safeParse(result.structuredContent ?? outermostJson(text));
    if (parsed.success) return parsed.data;
    throw new SttError(
      "malformed",
      `The speech server's answer cannot be read: ${z.prettifyError(parsed.error)}`,
    );
  }
}

/** @throws SttError naming the tools that the server lacks */
async function findTools(client: Client): Promise<Map<ToolKey, KnownTool>> {
  const found = new Map<ToolKey, KnownTool>();
  const { tools } = await client.listTools();
  for (const [key, suffix] of Object.entries(sttTool) as [ToolKey, string][]) {
    const tool = tools.find((candidate) => candidate.name.endsWith(suffix));
    if (!tool) continue;
    found.set(key, { name: tool.name, accepts: new Set(Object.keys(tool.inputSchema.properties ?? {})) });
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
export function sharedClient(connectTransport: () => Promise<Transport>): () => Promise<SttClient> {
  let current: Promise<SttClient> | null = null;
  const connect = async () => {
    const client = await SttClient.connect(await connectTransport());
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
