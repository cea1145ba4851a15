import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../../../agent/ports/ports.ts";
import { NeedsSignIn, type SignIn } from "../../sign-in/sign-in.ts";
import { BrokenAnswers } from "./broken-answers.ts";
import { mendingFetch } from "./mending-fetch.ts";

export interface HttpOptions {
  url: URL;
  /** With the entry's headers on what is for the server. */
  fetch: typeof fetch;
  /** null where the headers carry a credential already. */
  signIn: SignIn | null;
  clock: Clock;
}

/** Milliseconds that a server has to answer that its session is over: whoever quits waits for it. */
const maxEndMs = 1000;

/** Streamable HTTP. Where the server wants somebody to sign in, a message waits for that and goes again. */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #signIn: SignIn | null;
  readonly #answers: BrokenAnswers;
  readonly #clock: Clock;
  readonly #lateEnd: AbortController;
  #sessionEnd: Promise<void> | null = null;

  constructor({ url, fetch, signIn, clock }: HttpOptions) {
    const answers = new BrokenAnswers();
    const lateEnd = new AbortController();
    const observed = answers.observing(mendingFetch(fetch));
    super(url, {
      // The end of the session goes out when all else is ended.
      fetch: async (input, init) =>
        await observed(input, init?.method === "DELETE" ? { ...init, signal: lateEnd.signal } : init),
      ...(signIn && { authProvider: signIn.provider }),
    });
    this.#signIn = signIn;
    this.#answers = answers;
    this.#clock = clock;
    this.#lateEnd = lateEnd;
    // The client calls it before its own.
    this.onmessage = (message) => answers.received(message);
    answers.onBroken = (id) => {
      const message = "The answer broke off before the server had answered.";
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code: ErrorCode.ConnectionClosed, message } });
    };
  }

  override async close(): Promise<void> {
    this.#answers.clear();
    this.#sessionEnd ??= this.#endSession();
    // Whoever waits for an answer is told at once.
    await super.close();
    await this.#sessionEnd;
  }

  /** Says that the session is over. A server need not know of that, or may be gone: never throws. */
  async #endSession(): Promise<void> {
    delete this.onerror;
    const callOff = this.#clock.after(maxEndMs, () => this.#lateEnd.abort());
    await this.terminateSession().catch(() => {});
    callOff();
  }

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: TransportSendOptions,
  ): Promise<void> {
    const onResumable = this.#answers.sent(message);
    const onresumptiontoken = (token: string) => {
      onResumable();
      options?.onresumptiontoken?.(token);
    };
    await afterSignIn(
      this.#signIn,
      () => super.send(message, { ...options, onresumptiontoken }),
      (code) => this.finishAuth(code),
    );
  }
}

/** The older transport: a stream of events for answers, an address for requests. Signing in is before it starts. */
export class SseTransport extends SSEClientTransport {
  constructor({ url, fetch, signIn }: HttpOptions) {
    super(url, { fetch: mendingFetch(fetch), ...(signIn && { authProvider: signIn.provider }) });
  }

  /** Told when the stream is lost: the session was on it. */
  onCut: () => void = () => {};

  override async start(): Promise<void> {
    await super.start();
    const tell = this.onerror;
    this.onerror = (error) => {
      tell?.(error);
      if (error instanceof SseError) this.onCut();
    };
  }
}

async function afterSignIn(
  signIn: SignIn | null,
  work: () => Promise<void>,
  finish: (code: string) => Promise<void>,
): Promise<void> {
  const before = signIn?.count ?? 0;
  try {
    await work();
  } catch (error) {
    if (!signIn) throw error;
    // Another message was faster, from the refusal to the end of the sign-in or the renewal.
    const isSignedIn = signIn.count > before && isAboutSigningIn(error);
    if (!isSignedIn) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await signIn.finish(finish);
    }
    await work();
  }
}

/** The last is what the SDK says of a refusal that comes while another message goes again after a renewal. */
const isAboutSigningIn = (error: unknown) =>
  error instanceof UnauthorizedError ||
  error instanceof NeedsSignIn ||
  (error instanceof StreamableHTTPError && error.code === 401);

/** Whether a server that was asked in the newer way is one of the older kind: it knows no POST at its address. */
export function isOlderServer(error: unknown): boolean {
  return error instanceof StreamableHTTPError && [400, 404, 405].includes(error.code ?? 0);
}

/** What an answer that is no message means; null for other errors. */
export function httpRefusal(error: unknown): string | null {
  const isHttp = error instanceof StreamableHTTPError || error instanceof SseError;
  if (!isHttp || error.code === undefined || error.code < 100) return null;
  // The SDK follows within the server's own address only.
  const target = /Redirect to (?:plain http|(\S+)) not followed/.exec(error.message)?.[1];
  if (target !== undefined) {
    return `The server redirects to ${target}, which is not followed. If the server has moved, put its new address into the entry.`;
  }
  const meaning = error.code === 401 || error.code === 403 ? " (it wants other credentials)" : "";
  return `The server answered with status ${error.code}${meaning}.`;
}

/** The server has forgotten this session: the protocol wants a new one. Many say so with 400, as the SDK's examples do. */
export function isLostSession(error: unknown, transport: Transport | undefined): boolean {
  if (!(error instanceof StreamableHTTPError) || transport?.sessionId === undefined) return false;
  return error.code === 404 || (error.code === 400 && saysNoSession.test(error.message));
}

const saysNoSession =
  /\b(?:no valid|invalid|unknown|expired)\b.{0,20}\bsession\b|\bsession\b.{0,40}\b(?:not found|not exist|unknown|invalid|expired)\b/i;
