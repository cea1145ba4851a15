import { createHash, randomBytes } from "node:crypto";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
} from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import type { Clock } from "../agent/ports.ts";
import type { ServerEntry } from "./config-schema.ts";
import type { SecretStore } from "./ports.ts";
import { type Redirect, RedirectListener, redirectAddress } from "./redirect-listener.ts";
import { type KeptSignIn, keepSignIn, readSignIn } from "./sign-in-store.ts";

/** Somebody has to sign in, and this was not asked for by the user. */
export class NeedsSignIn extends Error {
  override readonly name = "NeedsSignIn";
}

export interface SignInOptions {
  server: string;
  url: URL;
  oauth: ServerEntry["oauth"];
  secrets: SecretStore;
  openExternal(url: string): Promise<void>;
  clock: Clock;
  fetch: typeof fetch;
  /** Whether a browser may be opened: only where the user asked for the connection. */
  mayAsk(): boolean;
  /** The user's browser is open, or not any more. */
  onBrowser(isOpen: boolean): void;
}

/** How long the user may take, in milliseconds. */
const patienceMs = 5 * 60_000;

/** Signing in to one server: the SDK's flow, the system's browser, and a listener that the browser comes back to. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly provider: OAuthClientProvider;
  #kept: KeptSignIn;
  #opening: Promise<RedirectListener> | null = null;
  #listener: RedirectListener | null = null;
  #verifiers: string[] = [];
  #verifier = "";
  #state = "";
  #redirect: PromiseWithReject | null = null;
  #finishing: Promise<void> | null = null;
  #renewal: { token: string; answer: Promise<Response> } | null = null;
  #count = 0;

  private constructor(options: SignInOptions, kept: KeptSignIn) {
    this.#options = options;
    this.#kept = kept;
    this.provider = machineProvider(options) ?? this.#personProvider();
  }

  static async open(options: SignInOptions): Promise<SignIn> {
    return new SignIn(options, await readSignIn(options.secrets, options.url.href));
  }

  /** Grows whenever somebody signed in on this connection, or access was renewed. */
  get count(): number {
    return this.#count;
  }

  /** True while the user is in the browser: no start is late because of that. */
  get isWaiting(): boolean {
    return this.#redirect !== null;
  }

  /** Opens the listener before the SDK sees that somebody must sign in: its address is part of the flow. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await this.#answer(input, init);
    if ((response.status === 401 || response.status === 403) && this.#options.mayAsk()) {
      await this.#listen();
    }
    return response;
  };

  /** What renews is good for one use: messages that find their access expired at once are one renewal. */
  async #answer(...request: Parameters<typeof fetch>): Promise<Response> {
    const [, init] = request;
    const token = init?.body instanceof URLSearchParams ? init.body.get("refresh_token") : null;
    if (token === null) return await this.#options.fetch(...request);
    if (this.#renewal?.token !== token) {
      const renewal = { token, answer: this.#options.fetch(...request) };
      this.#renewal = renewal;
      const forget = () => {
        if (this.#renewal === renewal) this.#renewal = null;
      };
      // A success counts for who is late, too; after a failure the next one tries by itself.
      renewal.answer.then(({ ok }) => ok || forget(), forget);
    }
    return (await this.#renewal.answer).clone();
  }

  /** One listener, however many messages are refused at once. */
  async #listen(): Promise<void> {
    this.#opening ??= RedirectListener.open(this.#kept.redirectPort, (redirect) => this.#took(redirect));
    const opening = this.#opening;
    const listener = await opening;
    // Where the sign-in has ended meanwhile it was closed.
    if (this.#opening === opening) this.#listener = listener;
  }

  /**
   * Waits for the browser, then has the code exchanged for tokens. Several messages that wait are one sign-in.
   * @throws NeedsSignIn; Error where the user, or the server, said no
   */
  finish(exchange: (code: string) => Promise<void>): Promise<void> {
    this.#finishing ??= this.#finish(exchange).finally(() => {
      this.#finishing = null;
    });
    return this.#finishing;
  }

  dispose(): void {
    this.#redirect?.reject(new Error("The connection was ended."));
    this.#end();
  }

  async #finish(exchange: (code: string) => Promise<void>): Promise<void> {
    // Another message was faster: its tokens are everybody's.
    if (!this.#redirect && this.#kept.tokens) return;
    if (!this.#redirect) throw this.#needed();
    const waiting = new AbortController();
    const late = this.#options.clock.sleep(patienceMs, waiting.signal).then(() => {
      throw new Error("Nobody signed in within five minutes.");
    });
    try {
      await exchange(await Promise.race([this.#redirect.code, late]));
      this.#count++;
    } finally {
      waiting.abort();
      late.catch(() => {});
      this.#end();
    }
  }

  #end(): void {
    if (this.#redirect) this.#options.onBrowser(false);
    this.#redirect = null;
    this.#verifiers = [];
    this.#opening?.then(
      (listener) => listener.close(),
      () => {},
    );
    this.#opening = null;
    this.#listener = null;
  }

  #took(redirect: Redirect): boolean {
    if (!this.#redirect || this.#state === "" || redirect.state !== this.#state) return false;
    if ("code" in redirect) this.#redirect.resolve(redirect.code);
    else this.#redirect.reject(new Error(`Signing in to ${this.#options.server} failed: ${redirect.error}.`));
    return true;
  }

  #needed(): NeedsSignIn {
    const { server } = this.#options;
    return new NeedsSignIn(`${server} wants you to sign in. \`/mcp restart ${server}\` opens your browser.`);
  }

  #personProvider(): OAuthClientProvider {
    const { oauth } = this.#options;
    const redirectUrl = () => redirectAddress(this.#listener?.port ?? this.#kept.redirectPort ?? 0);
    // An address as the id is a document about the client; not every server knows that.
    const isDocument = oauth?.clientId.startsWith("https://") ?? false;
    const fixed = oauth && !isDocument ? oauth : undefined;
    return {
      get redirectUrl() {
        return redirectUrl();
      },
      get clientMetadata() {
        return {
          client_name: "Parley",
          redirect_uris: [redirectUrl()],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          ...(oauth?.scope !== undefined && { scope: oauth.scope }),
        };
      },
      ...(isDocument && oauth && { clientMetadataUrl: oauth.clientId }),
      state: () => randomBytes(16).toString("base64url"),
      clientInformation: () => {
        if (fixed) return { client_id: fixed.clientId, client_secret: fixed.clientSecret };
        // A registration is for one address to come back to.
        const { client, redirectPort } = this.#kept;
        // Nobody is registered for a sign-in that nobody asked for.
        if (!client && !this.#options.mayAsk()) throw this.#needed();
        return this.#listener && this.#listener.port !== redirectPort ? undefined : client;
      },
      saveClientInformation: async (client) => {
        if (!fixed)
          await this.#keep({ client, redirectPort: this.#listener?.port ?? this.#kept.redirectPort });
      },
      tokens: () => this.#kept.tokens,
      saveTokens: async (tokens) => {
        await this.#keep({ tokens });
        this.#count++;
        if (!this.#redirect) this.#end();
      },
      redirectToAuthorization: (url) => this.#open(url),
      saveCodeVerifier: (verifier) => void this.#verifiers.push(verifier),
      codeVerifier: () => this.#verifier,
      invalidateCredentials: async (scope) => {
        if (scope === "all" || scope === "client") await this.#keep({ client: undefined });
        if (scope === "all" || scope === "tokens") await this.#keep({ tokens: undefined });
      },
    };
  }

  async #open(url: URL): Promise<void> {
    if (this.#redirect) return;
    if (!this.#options.mayAsk() || !this.#listener) throw this.#needed();
    if (!isSafe(url)) {
      throw new Error(`${this.#options.server} wants to sign in at ${url.origin}, which is not encrypted.`);
    }
    // Several may ask at once: what counts is what stands in the address that the browser gets.
    this.#state = url.searchParams.get("state") ?? "";
    const challenge = url.searchParams.get("code_challenge");
    this.#verifier = this.#verifiers.find((verifier) => challengeOf(verifier) === challenge) ?? "";
    this.#redirect = promiseWithReject();
    this.#options.onBrowser(true);
    await this.#options.openExternal(url.href);
  }

  async #keep(change: KeptSignIn): Promise<void> {
    this.#kept = { ...this.#kept, ...change };
    await keepSignIn(this.#options.secrets, this.#options.url.href, this.#kept);
  }
}

/** For a server that is signed in to without a person. */
function machineProvider({ oauth }: SignInOptions): OAuthClientProvider | null {
  if (oauth?.grant !== "client_credentials") return null;
  const { clientId, clientSecret = "", privateKey, keyAlgorithm, scope } = oauth;
  const who = { clientId, clientName: "Parley", ...(scope !== undefined && { scope }) };
  return privateKey === undefined
    ? new ClientCredentialsProvider({ ...who, clientSecret })
    : new PrivateKeyJwtProvider({ ...who, privateKey, algorithm: keyAlgorithm });
}

/** A server names the page: only the web, and encrypted, but for this computer itself. */
const isSafe = ({ protocol, hostname }: URL) =>
  protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

interface PromiseWithReject {
  code: Promise<string>;
  resolve(code: string): void;
  reject(error: Error): void;
}

function promiseWithReject(): PromiseWithReject {
  let resolve: (code: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const code = new Promise<string>((take, refuse) => {
    resolve = take;
    reject = refuse;
  });
  // The browser may be back before anybody waits.
  code.catch(() => {});
  return { code, resolve, reject };
}
