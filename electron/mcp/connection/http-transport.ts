import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport, TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { NeedsSignIn, type SignIn } from "../sign-in/sign-in.ts";

export interface HttpOptions {
  url: URL;
  /** With the entry's headers on what is for the server. */
  fetch: typeof fetch;
  /** null where the headers carry a credential already. */
  signIn: SignIn | null;
}

/** Streamable HTTP. Where the server wants somebody to sign in, a message waits for that and goes again. */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #signIn: SignIn | null;

  constructor({ url, fetch, signIn }: HttpOptions) {
    super(url, { fetch, ...(signIn && { authProvider: signIn.provider }) });
    this.#signIn = signIn;
  }

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: TransportSendOptions,
  ): Promise<void> {
    await afterSignIn(
      this.#signIn,
      () => super.send(message, options),
      (code) => this.finishAuth(code),
    );
  }
}

/** The older transport: a stream of events for answers, an address for requests. Signing in is before it starts. */
export class SseTransport extends SSEClientTransport {
  constructor({ url, fetch, signIn }: HttpOptions) {
    super(url, { fetch, ...(signIn && { authProvider: signIn.provider }) });
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
    return `The server redirects to ${target}, which is not followed. If it has moved, write its new address into the entry.`;
  }
  const meaning = error.code === 401 || error.code === 403 ? " (it wants other credentials)" : "";
  return `The server answered with status ${error.code}${meaning}.`;
}

/** The server has forgotten this session: the protocol wants a new one. */
export function isLostSession(error: unknown, transport: Transport | undefined): boolean {
  return error instanceof StreamableHTTPError && error.code === 404 && transport?.sessionId !== undefined;
}
