import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { anthropicProtocol } from "./anthropic-protocol.ts";
import { Gates } from "./gates.ts";
import { checkRequest, checkText, type RequestBody } from "./invariants.ts";
import { type Protocol, Refusal, RefusedParameter, RefusedRequest } from "./protocol.ts";
import {
  type Args,
  parseMarker,
  plainReply,
  type Script,
  type Step,
  saidBy,
  scripts,
  withUsage,
} from "./scripts.ts";

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
 * without its call, thinking comes back with its signature, tools, texts and images are as the API takes them. A breach is answered with 400 and kept in `violations`. Requests for a summary or
 * a title (no tools, a system prompt that says so) look for no marker; those for a title are kept apart.
 */
export interface ModelServer {
  /** For ANTHROPIC_BASE_URL or `anthropicBaseUrl`. */
  readonly url: string;
  /** Every request so far but those for a title or a repair, also refused ones, in the order they came. */
  readonly requests: readonly RecordedRequest[];
  /** Those for a title: they come beside the others, nobody knows when. */
  readonly titleRequests: readonly RecordedRequest[];
  /** Those for a repair of what was heard. */
  readonly repairRequests: readonly RecordedRequest[];
  /** What requests did that the API forbids; empty in a healthy run. */
  readonly violations: readonly string[];
  /** How many connections were opened in all. */
  readonly connections: number;
  /** How often its list of models was asked for. */
  readonly listings: number;
  /** Resolves when `count` requests have come in all. */
  requested(count: number): Promise<RecordedRequest>;
  /** Resolves when a stream waits at the gate. */
  held(gate: string): Promise<void>;
  /** Opens a gate for good: for what waits there and for what comes. */
  release(gate: string): void;
  /** What requests for a summary get from now on: those without tools whose system prompt speaks of a summary. */
  answerSummaries(answer: SummaryAnswer): void;
  /**
   * What requests for a title get from now on: those without tools whose system prompt speaks of a title. Until then an
   * empty reply that costs nothing, so that no title changes and no budget moves under a test that asks for neither.
   */
  answerTitles(answer: TitleAnswer): void;
  /**
   * What requests for a repair of heard words get from now on, as a marker: those without tools whose system prompt speaks of
   * a recogniser. Until then an empty reply.
   */
  answerRepairs(answer: RepairAnswer): void;
  /** The models that it lists, and answers as, from now on; null: its list is an error. */
  offers(models: readonly string[] | null): void;
  /**
   * What prompts without a marker get from now on, as a marker or as what finds one for a request: spoken words, and those of
   * programs, cannot hold one.
   */
  answerUnmarked(marker: UnmarkedAnswer): void;
  /** Every answer from now on, but to requests for a title, begins so much later: for measurements. */
  answerAfter(ms: number): void;
  /** From now on so many deltas a second and stream; null: all at once. For measurements. */
  pace(deltasPerSecond: number | null): void;
  /** Ends all connections. @throws Error that lists the violations, if there are any */
  close(): Promise<void>;
}

/** A text, which can wait at a gate after its first word, a refusal in words, or an HTTP error. */
export type SummaryAnswer = ({ text: string; hold?: string } | { refusal: true } | { status: number }) & {
  usage?: Args["usage"];
};

export type TitleAnswer = SummaryAnswer;

export interface RecordedRequest {
  /** Milliseconds since the epoch, with fractions. */
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** In the shape of the Messages API, whatever the API is. */
  readonly body: RequestBody;
  /** As it came. */
  readonly raw: unknown;
  /** The path of the address. */
  readonly path: string;
  /** The script that answers it; `echo` without a marker. */
  readonly script: string;
  /** 1 for the first request with these messages, 2 for its first repetition, … */
  readonly attempt: number;
  /** Resolves when the answer was sent whole (true), or the client left before that (false). */
  readonly finished: Promise<boolean>;
}

/** A marker, or what finds one for a request; its headers' names are in small letters. */
export type UnmarkedAnswer = string | ((body: RequestBody, headers: RecordedRequest["headers"]) => string);

/** A marker, or what finds one for the readings of an utterance, likeliest first. */
export type RepairAnswer = string | ((readings: readonly string[]) => string);

function repairMarker(answer: RepairAnswer, body: RequestBody): string {
  if (typeof answer === "string") return answer;
  const lines = JSON.stringify(body.messages).split("\\n");
  return answer(lines.flatMap((line) => /^\d+\. (.*)$/.exec(line)?.[1] ?? []));
}

/** @param protocol the Messages API unless it says otherwise */
export async function createModelServer(protocol: Protocol = anthropicProtocol()): Promise<ModelServer> {
  const server = new ScriptedServer(protocol);
  await server.listen();
  return server;
}

class ScriptedServer implements ModelServer {
  readonly requests: RecordedRequest[] = [];
  readonly titleRequests: RecordedRequest[] = [];
  readonly repairRequests: RecordedRequest[] = [];
  readonly violations: string[] = [];
  connections = 0;
  listings = 0;
  #listed: readonly string[] | null = [];
  readonly #gates = new Gates();
  readonly #attempts = new Map<string, number>();
  readonly #waiters: { count: number; resolve(request: RecordedRequest): void }[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      this.violations.push(`The fake server itself failed: ${String(error)}`);
      response.destroy();
    });
  });
  readonly #protocol: Protocol;
  #title: TitleAnswer = { text: "", usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
  #delayMs = 0;
  #deltasPerSecond: number | null = null;
  #repair: RepairAnswer = "[[script:empty]]";
  #unmarked: UnmarkedAnswer = "";
  #summary: SummaryAnswer = { text: "The user asked, and was answered." };

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isNetworkAddress(address) ? address.port : 0}`;
  }

  async listen(): Promise<void> {
    this.#server.on("connection", () => this.connections++);
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

  answerSummaries(answer: SummaryAnswer): void {
    this.#summary = answer;
  }

  answerRepairs(answer: RepairAnswer): void {
    this.#repair = answer;
  }

  offers(models: readonly string[] | null): void {
    this.#listed = models;
  }

  answerUnmarked(marker: UnmarkedAnswer): void {
    this.#unmarked = marker;
  }

  answerAfter(ms: number): void {
    this.#delayMs = ms;
  }

  pace(deltasPerSecond: number | null): void {
    this.#deltasPerSecond = deltasPerSecond;
  }

  answerTitles(answer: TitleAnswer): void {
    this.#title = answer;
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
    const bytes = await bodyOf(request);
    const text = bytes.toString("utf8");
    const path = request.url ?? "/";
    const refuse = (code: number, type: string, message: string, headers = {}) =>
      sendJson(response, code, this.#protocol.error(code, type, message), headers);
    const { listing } = this.#protocol;
    if (request.method === "GET" && path.split("?")[0] === listing.path) {
      this.listings++;
      if (this.#listed === null) return refuse(500, "api_error", "Scripted error.");
      return sendJson(response, 200, listing.of(this.#listed), {});
    }
    if (!this.#protocol.accepts(request.method, path)) {
      return refuse(404, "not_found_error", `${request.method} ${path}`);
    }
    const { mostBytes, tooLarge } = this.#protocol;
    if (tooLarge && mostBytes !== undefined && bytes.length > mostBytes) {
      this.violations.push(tooLarge.message);
      return refuse(tooLarge.code, tooLarge.type, tooLarge.message);
    }
    const raw: unknown = JSON.parse(text);
    const beta = String(request.headers["anthropic-beta"] ?? "");
    const { body, breaches: found, param, isDialect } = this.#read(raw, path, beta);
    const breaches = [...checkText(bytes, text), ...found];
    if (param) {
      const error = {
        message: breaches.join(),
        type: "invalid_request_error",
        param,
        code: "unsupported_parameter",
      };
      return sendJson(response, 400, { error }, {});
    }
    if (isDialect) return refuse(400, "invalid_request_error", breaches.join());
    if (!body) {
      this.violations.push(...breaches);
      return refuse(400, "invalid_request_error", breaches.join("; "));
    }
    const isTitle = isAbout(body, /\btitle\b/i);
    const isRepair = isAbout(body, /recogniser/i);
    const marker = isTitle
      ? answerMarker(this.#title, "(title)")
      : isRepair
        ? parseMarker({ ...body, messages: [] }, repairMarker(this.#repair, body))
        : isAbout(body, /summar/i)
          ? answerMarker(this.#summary, "(summary)")
          : parseMarker(body, this.#markerFor(body, request.headers));
    const attempt = this.#count(JSON.stringify(body.messages));
    const promptAttempt = this.#count(`prompt: ${marker.prompt}`);
    const finished = new Promise<boolean>((resolve) => {
      response.once("close", () => resolve(response.writableFinished));
    });
    const { headers } = request;
    const record = { atMs, headers, body, raw, path, script: marker.name, attempt, finished };
    const isAside = isTitle || isRepair;
    (isTitle ? this.titleRequests : isRepair ? this.repairRequests : this.requests).push(record);
    for (const { count, resolve } of this.#waiters) {
      if (!isAside && count === this.requests.length) resolve(record);
    }

    if (breaches.length > 0) {
      this.violations.push(...breaches);
      return refuse(400, "invalid_request_error", breaches.join("; "));
    }
    if (!isAside && this.#delayMs > 0) await Promise.race([sleep(this.#delayMs), closed(response)]);
    const script: Script = scripts[marker.name] ?? (() => plainReply([`There is no script ${marker.name}.`]));
    const steps = script({ body, args: marker.args, prompt: marker.prompt, attempt, promptAttempt });
    const answer = withUsage(steps, marker.args);
    const isOffered = this.#listed?.includes(body.model) ?? false;
    await this.#play(
      isOffered ? saidBy(answer, body.model) : answer,
      { args: marker.args, attempt },
      response,
      refuse,
    );
  }

  #read(
    raw: unknown,
    path: string,
    beta: string,
  ): { body: RequestBody | null; breaches: string[]; param?: string; isDialect?: true } {
    try {
      const { body, breaches } = this.#protocol.read(raw, path, beta);
      return { body, breaches: [...breaches, ...checkRequest(body)] };
    } catch (error) {
      if (error instanceof RefusedParameter)
        return { body: null, breaches: [error.message], param: error.param };
      if (error instanceof Refusal) return { body: null, breaches: [error.message], isDialect: true };
      if (error instanceof RefusedRequest) return { body: null, breaches: error.breaches };
      if (error instanceof z.ZodError) return { body: null, breaches: [z.prettifyError(error)] };
      throw error;
    }
  }

  #markerFor(body: RequestBody, headers: RecordedRequest["headers"]): string {
    return typeof this.#unmarked === "string" ? this.#unmarked : this.#unmarked(body, headers);
  }

  #count(key: string): number {
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    return attempt;
  }

  async #play(
    steps: Iterable<Step>,
    { args, attempt }: { args: Args; attempt: number },
    response: ServerResponse,
    refuse: (code: number, type: string, message: string, headers?: object) => void,
  ): Promise<void> {
    const encoder = this.#protocol.encoder(args);
    const cutAt = attempt === 1 ? (args.cutAt ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    const pace = pacer(this.#deltasPerSecond);
    let written = 0;
    for (const step of steps) {
      if (response.destroyed) return;
      switch (step.kind) {
        case "status":
          return refuse(step.code, step.type, step.message, step.headers);
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
          if (step.event.type === "content_block_delta") await pace();
          if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
          const bytes = Buffer.from(encoder.encode(step.event, step.raw));
          const left = cutAt - written;
          if (bytes.length > left) {
            response.end(bytes.subarray(0, left));
            return;
          }
          written += bytes.length;
          response.write(bytes);
        }
      }
    }
    response.end();
  }
}

/** Resolves when the next delta is due; one that was late holds up none after it. */
function pacer(perSecond: number | null): () => Promise<void> {
  const startMs = performance.now();
  let sent = 0;
  return async () => {
    const leftMs = perSecond === null ? 0 : startMs + (1000 * sent++) / perSecond - performance.now();
    if (leftMs > 0) await sleep(leftMs);
  };
}

const isNetworkAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const closed = (response: ServerResponse) => new Promise<void>((resolve) => response.once("close", resolve));

function sendJson(response: ServerResponse, code: number, body: unknown, headers: object): void {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A conversation's own requests have no tools where the server takes none. */
function isAbout({ system, tools = [] }: RequestBody, words: RegExp): boolean {
  const said = JSON.stringify(system ?? "");
  return tools.length === 0 && !said.includes("You are Parley") && words.test(said);
}

function answerMarker(answer: TitleAnswer, prompt: string): ReturnType<typeof parseMarker> {
  if ("text" in answer) return { name: "text", args: { ...answer }, prompt };
  if ("refusal" in answer) return { name: "refusal", args: {}, prompt };
  return { name: "status", args: { code: answer.status, times: -1 }, prompt };
}
