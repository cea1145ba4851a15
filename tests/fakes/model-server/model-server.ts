import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { Gates } from "./gates.ts";
import { checkRequest, type RequestBody, requestBody } from "./invariants.ts";
import { parseMarker, plainReply, type Script, type Step, scripts } from "./scripts.ts";

/**
 * The model API's far side: a real HTTP server that speaks the Messages API's event stream on POST /v1/messages.
 *
 * A marker in the newest prompt picks what it answers: `[[script:NAME {"json": "arguments"}]]`, see `scripts.ts` for
 * all of them. Without a marker it echoes the prompt. It needs no key, but `[[script:status {"code":401}]]` refuses one.
 *
 *     const server = await createModelServer();
 *     const app = launch({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test" });
 *     submit('Hello [[script:text {"words":5,"hold":"half","at":2}]]');
 *     await server.held("half");     // two words were sent
 *     server.release("half");        // the rest follows
 *     server.requests[0].atMs        // when its first byte arrived, same clock as performance.now() + timeOrigin
 *     await server.close();          // throws when any request broke the API's rules
 *
 * Every request is checked: roles alternate, every tool use is answered exactly once in the next message, no result
 * without its call, thinking comes back with its signature. A breach is answered with 400 and kept in `violations`.
 */
export interface ModelServer {
  /** For ANTHROPIC_BASE_URL or `anthropicBaseUrl`. */
  readonly url: string;
  /** Every request so far, also refused ones, in the order they came. */
  readonly requests: readonly RecordedRequest[];
  /** What requests did that the API forbids; empty in a healthy run. */
  readonly violations: readonly string[];
  /** Resolves when `count` requests have come in all. */
  requested(count: number): Promise<RecordedRequest>;
  /** Resolves when a stream waits at the gate. */
  held(gate: string): Promise<void>;
  /** Opens a gate for good: for what waits there and for what comes. */
  release(gate: string): void;
  /** Ends all connections. @throws Error that lists the violations, if there are any */
  close(): Promise<void>;
}

export interface RecordedRequest {
  /** Milliseconds since the epoch, with fractions. */
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: RequestBody;
  /** The script that answers it; `echo` without a marker. */
  readonly script: string;
  /** 1 for the first request with these messages, 2 for its first repetition, … */
  readonly attempt: number;
  /** Resolves when the answer was sent whole (true), or the client left before that (false). */
  readonly finished: Promise<boolean>;
}

export async function createModelServer(): Promise<ModelServer> {
  const server = new ScriptedServer();
  await server.listen();
  return server;
}

class ScriptedServer implements ModelServer {
  readonly requests: RecordedRequest[] = [];
  readonly violations: string[] = [];
  readonly #gates = new Gates();
  readonly #attempts = new Map<string, number>();
  readonly #waiters: { count: number; resolve(request: RecordedRequest): void }[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      this.violations.push(`The fake server itself failed: ${String(error)}`);
      response.destroy();
    });
  });
  /** What was sent for a tool use id: the same thinking must come back before it. */
  readonly #sentThinking = new Map<string, string>();

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isNetworkAddress(address) ? address.port : 0}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
  }

  async requested(count: number): Promise<RecordedRequest> {
    const request = this.requests[count - 1];
    if (request) return request;
    return await new Promise((resolve) => this.#waiters.push({ count, resolve }));
  }

  async held(gate: string): Promise<void> {
    await this.#gates.held(gate);
  }

  release(gate: string): void {
    this.#gates.release(gate);
  }

  async close(): Promise<void> {
    this.#gates.releaseAll();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    if (this.violations.length > 0)
      throw new Error(`The model API was misused:\n${this.violations.join("\n")}`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.timeOrigin + performance.now();
    const text = await bodyOf(request);
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages")) {
      return sendError(response, 404, "not_found_error", `${request.method} ${request.url}`);
    }
    const parsed = requestBody.safeParse(JSON.parse(text));
    if (!parsed.success) {
      this.violations.push(z.prettifyError(parsed.error));
      return sendError(response, 400, "invalid_request_error", z.prettifyError(parsed.error));
    }
    const body = parsed.data;
    const marker = parseMarker(body);
    const key = JSON.stringify(body.messages);
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    const finished = new Promise<boolean>((resolve) => {
      response.once("close", () => resolve(response.writableFinished));
    });
    const record = { atMs, headers: request.headers, body, script: marker.name, attempt, finished };
    this.requests.push(record);
    for (const { count, resolve } of this.#waiters) if (count === this.requests.length) resolve(record);

    const breaches = checkRequest(body, this.#sentThinking);
    if (breaches.length > 0) {
      this.violations.push(...breaches);
      return sendError(response, 400, "invalid_request_error", breaches.join("; "));
    }
    const script: Script = scripts[marker.name] ?? (() => plainReply([`There is no script ${marker.name}.`]));
    const steps = script({ body, args: marker.args, prompt: marker.prompt, attempt });
    await this.#play(counted(steps, marker.args.inputTokens), response);
  }

  async #play(steps: Iterable<Step>, response: ServerResponse): Promise<void> {
    let thinking = "";
    for (const step of steps) {
      if (response.destroyed) return;
      switch (step.kind) {
        case "status":
          return sendError(response, step.code, step.type, step.message, step.headers);
        case "hold":
          await Promise.race([this.#gates.wait(step.gate), closed(response)]);
          break;
        case "cut":
          response.destroy();
          return;
        case "end":
          response.end();
          return;
        case "event": {
          if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
          const { event } = step;
          thinking += event.delta?.thinking ?? "";
          if (event.content_block?.type === "tool_use" && thinking !== "" && event.content_block.id) {
            this.#sentThinking.set(event.content_block.id, thinking);
          }
          response.write(`event: ${event.type}\ndata: ${step.raw ?? JSON.stringify(event)}\n\n`);
        }
      }
    }
    response.end();
  }
}

function* counted(steps: Iterable<Step>, inputTokens: number | undefined): Iterable<Step> {
  for (const step of steps) {
    if (step.kind !== "event" || step.event.type !== "message_start" || inputTokens === undefined) yield step;
    else {
      const usage = { input_tokens: inputTokens, output_tokens: 1 };
      yield { ...step, event: { ...step.event, message: { ...step.event.message, usage } } };
    }
  }
}

const isNetworkAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const closed = (response: ServerResponse) => new Promise<void>((resolve) => response.once("close", resolve));

function sendError(
  response: ServerResponse,
  code: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ type: "error", error: { type, message } }));
}
