import { createHash, randomBytes } from "node:crypto";
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Clock } from "../../agent/ports/ports.ts";
import type { ServerEntry } from "../config/config-schema.ts";
import type { SecretStore } from "../ports.ts";
import { type AwaitedCode, awaitedCode } from "./awaited-code.ts";
import {
  isSameIssuer,
  isSamePlace,
  objectionTo,
  objectionToAnswer,
  placeOf,
  type SignInPlace,
} from "./issuer-pin.ts";
import { machineProvider } from "./machine-provider.ts";
import { mendedAnswer } from "./mended-answer.ts";
import { NamedAnswers } from "./named-answers.ts";
import { type Redirect, type RedirectListener, redirectAddress } from "./redirect-listener.ts";
import { checkSignInAddress } from "./sign-in-address.ts";
import { closeSignIn, type KeptSignIn, keepSignIn, openSignIn, type SharedSignIn } from "./sign-in-store.ts";

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
  /** Whether a name or an address leads to the public internet and nowhere else. */
  isPublicHost(host: string): Promise<boolean>;
  /**
   * Whether a browser may be opened, and addresses asked that the server names: only where the user asked for the connection,
   * or for what is going on over it.
   */
  mayAsk(): boolean;
  /** The user's browser is open, or not any more. */
  onBrowser(isOpen: boolean): void;
}

/** How long the user may take, in milliseconds. */
const patienceMs = 5 * 60_000;

/**
 * Signing in to one server: the SDK's flow, the system's browser, and a listener that the browser comes back to. Whom it is with
 * is pinned from the first answer on; secrets go to the pinned token endpoint only.
 */
export class SignIn {
  readonly #options: SignInOptions;
  readonly provider: OAuthClientProvider;
  readonly #shared: SharedSignIn;
  #isDisposed = false;
  #isListening = false;
  #listener: RedirectListener | null = null;
  #verifiers: string[] = [];
  #verifier = "";
  #state = "";
  #redirect: AwaitedCode | null = null;
  #finishing: Promise<void> | null = null;
  /** What the user was told of, and started the server again after that. */
  readonly #agreed: SignInPlace | null;
  /** Why an address was not asked: the SDK goes on without some. */
  #refused: Error | null = null;
  #isExchanging = false;
  /** The server wants access for more than was given: to renew what there is would not help. */
  #needsMore = false;
  readonly #named = new NamedAnswers();

  private constructor(options: SignInOptions, shared: SharedSignIn) {
    this.#options = options;
    this.#shared = shared;
    this.#agreed = (options.mayAsk() && shared.kept.offered) || null;
    this.provider = this.#isMachine ? this.#machineProvider() : this.#personProvider();
  }

  static async open(options: SignInOptions): Promise<SignIn> {
    return new SignIn(options, await openSignIn(options.secrets, options.url.href));
  }

  /** Grows whenever somebody signed in to this address, or access was renewed. */
  get count(): number {
    return this.#shared.count;
  }

  get #kept(): KeptSignIn {
    return this.#shared.kept;
  }

  /** True while the user is in the browser: no start is late because of that. */
  get isWaiting(): boolean {
    return this.#redirect !== null;
  }

  /** Opens the listener before the SDK sees that somebody must sign in: its address is part of the flow. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await this.#answer(input, init);
    if (response.status === 403) this.#needsMore = isTooLittle(response);
    if ((response.status === 401 || response.status === 403) && this.#options.mayAsk()) {
      await this.#listen();
    }
    return response;
  };

  /** What renews is good for one use: messages that find their access expired at once are one renewal. */
  async #answer(...request: Parameters<typeof fetch>): Promise<Response> {
    const [input, init] = request;
    const address = new URL(input instanceof Request ? input.url : input);
    const form = init?.body instanceof URLSearchParams ? init.body : null;
    await this.#check(address, form?.has("grant_type") ?? false);
    const token = form?.get("refresh_token") ?? null;
    if (token === null) {
      const response = await this.#options.fetch(...request);
      await this.#named.observe(address, response);
      return await mendedAnswer(address, init ?? {}, response);
    }
    const shared = this.#shared;
    if (shared.renewal?.token !== token) {
      const asked = this.#options.fetch(...request);
      const renewal = {
        token,
        answer: asked.then((response) => mendedAnswer(address, init ?? {}, response)),
      };
      shared.renewal = renewal;
      const forget = () => {
        if (shared.renewal === renewal) shared.renewal = null;
      };
      // A success counts for who is late, too; after a failure the next one tries by itself.
      renewal.answer.then(({ ok }) => ok || forget(), forget);
    }
    return (await shared.renewal.answer).clone();
  }

  /** Before anything is sent. @param isForTokens it carries what tokens are given for @throws Error in words for the user */
  async #check(address: URL, isForTokens: boolean): Promise<void> {
    const { server, url, mayAsk } = this.#options;
    try {
      if (isForTokens) {
        if (address.href !== this.#pinned?.tokenEndpoint) {
          throw new Error(`${server} wants tokens from ${address.href}, which is not where you signed in.`);
        }
      } else {
        if (address.origin === url.origin) return;
        if (!mayAsk()) throw this.#needed();
      }
      await this.#checkAddress(address);
    } catch (error) {
      if (error instanceof Error) this.#refused = error;
      throw error;
    }
  }

  async #checkAddress(address: URL): Promise<void> {
    const { server, url, oauth, isPublicHost } = this.#options;
    await checkSignInAddress(address, { server, url, issuer: oauth?.issuer, isPublicHost });
  }

  get #pinned(): SignInPlace | null {
    return this.#kept.discovery ? placeOf(this.#kept.discovery) : null;
  }

  get #isMachine(): boolean {
    return this.#options.oauth?.grant === "client_credentials";
  }

  /** What was found once stays, but where the user asks: then it is looked for again, and has to be the same. */
  async #known(): Promise<OAuthDiscoveryState | undefined> {
    this.#refused = null;
    await this.#checkAddress(this.#options.url);
    if (this.#options.mayAsk() && !this.#isExchanging) return undefined;
    if (!this.#kept.discovery) throw this.#needed();
    return this.#kept.discovery;
  }

  /** Takes what was found, or says why not: then nothing is sent there. @throws NeedsSignIn; Error in words for the user */
  async #pin(discovery: OAuthDiscoveryState): Promise<void> {
    if (this.#refused) throw this.#refused;
    const { server: name, url, oauth } = this.#options;
    const [place, known] = [placeOf(discovery), this.#pinned];
    if (oauth?.issuer !== undefined && !isSameIssuer(oauth.issuer, place.server)) {
      throw new Error(
        `${name} wants to sign in at ${place.server}, but its entry says \`issuer\` ${oauth.issuer}. Nothing was sent there.`,
      );
    }
    await this.#checkAddress(new URL(place.server));
    await this.#checkAddress(new URL(place.tokenEndpoint));
    const hasSecret = oauth?.clientSecret !== undefined || oauth?.privateKey !== undefined;
    const isNamed = oauth?.issuer !== undefined;
    const why = objectionTo({ name, url, place, known, agreed: this.#agreed, hasSecret, isNamed });
    if (why !== null) {
      await this.#keep({ offered: place });
      throw new NeedsSignIn(why);
    }
    const isMoved = known !== null && !isSamePlace(known, place);
    // What the one before gave is nobody else's.
    const afresh = isMoved ? { tokens: undefined, client: undefined } : {};
    await this.#keep({ discovery, offered: undefined, ...afresh });
  }

  /** One listener, however many messages are refused at once. */
  async #listen(): Promise<void> {
    this.#isListening = true;
    const listener = await this.#shared.listener.join(this.#kept.redirectPort, this.#take);
    // Where the sign-in has ended meanwhile it was closed.
    if (this.#isListening) this.#listener = listener;
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
    if (!this.#isDisposed) closeSignIn(this.#options.secrets, this.#options.url.href, this.#shared);
    this.#isDisposed = true;
    this.#redirect?.reject(new Error("The connection was ended."));
    this.#end();
  }

  async #finish(exchange: (code: string) => Promise<void>): Promise<void> {
    // Another message was faster: its tokens are everybody's.
    if (!this.#redirect && this.#kept.tokens) return;
    if (!this.#redirect) throw this.#needed();
    const waiting = new AbortController();
    const late = this.#options.clock.sleep(patienceMs, waiting.signal).then(() => {
      throw new Error("You did not sign in within five minutes.");
    });
    try {
      const code = await Promise.race([this.#redirect.code, late]);
      this.#isExchanging = true;
      await exchange(code);
      this.#shared.count++;
    } finally {
      this.#isExchanging = false;
      waiting.abort();
      late.catch(() => {});
      this.#end();
    }
  }

  #end(): void {
    this.#needsMore = false;
    if (this.#redirect) this.#options.onBrowser(false);
    this.#redirect = null;
    this.#verifiers = [];
    this.#shared.listener.leave(this.#take);
    this.#isListening = false;
    this.#listener = null;
  }

  readonly #take = (redirect: Redirect): boolean => {
    if (!this.#redirect || this.#state === "" || redirect.state !== this.#state) return false;
    const { discovery } = this.#kept;
    const saysWho = this.#named.has(discovery?.authorizationServerMetadata?.issuer);
    const why = discovery ? objectionToAnswer(discovery, redirect.issuer, saysWho) : null;
    if (why === null && "code" in redirect) this.#redirect.resolve(redirect.code);
    else {
      const failure = why ?? ("error" in redirect ? redirect.error : "");
      this.#redirect.reject(new Error(`Signing in to ${this.#options.server} failed: ${failure}.`));
    }
    return why === null;
  };

  #needed(): NeedsSignIn {
    const { server } = this.#options;
    const how = this.#isMachine ? "signs in" : "opens your browser";
    return new NeedsSignIn(`${server} wants you to sign in. \`/mcp restart ${server}\` ${how}.`);
  }

  get #discovery() {
    return {
      discoveryState: () => this.#known(),
      saveDiscoveryState: (found: OAuthDiscoveryState) => this.#pin(found),
    };
  }

  #machineProvider(): OAuthClientProvider {
    const { oauth } = this.#options;
    if (!oauth) throw new Error("Only an entry says how to sign in without a person.");
    const issuer = () => {
      if (!this.#pinned) throw this.#needed();
      return this.#pinned.server;
    };
    return machineProvider(oauth, issuer, this.#discovery);
  }

  #personProvider(): OAuthClientProvider {
    const { oauth } = this.#options;
    const redirectUrl = () => redirectAddress(this.#listener?.port ?? this.#kept.redirectPort ?? 0);
    // An address as the id is a document about the client; not every server knows that.
    const isDocument = oauth?.clientId.startsWith("https://") ?? false;
    const fixed = oauth && !isDocument ? oauth : undefined;
    return {
      ...this.#discovery,
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
        const { clientId, clientSecret } = fixed ?? {};
        // Stamped: the SDK, too, shows it to nobody else.
        if (clientId !== undefined) {
          return { client_id: clientId, client_secret: clientSecret, issuer: this.#pinned?.server };
        }
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
      tokens: () => {
        const { tokens } = this.#kept;
        return tokens && this.#needsMore ? { ...tokens, refresh_token: undefined } : tokens;
      },
      saveTokens: async (tokens) => {
        await this.#keep({ tokens });
        this.#shared.count++;
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
    await this.#checkAddress(url);
    if (this.#redirect) return;
    // Several may ask at once: what counts is what stands in the address that the browser gets.
    this.#state = url.searchParams.get("state") ?? "";
    const challenge = url.searchParams.get("code_challenge");
    this.#verifier = this.#verifiers.find((verifier) => challengeOf(verifier) === challenge) ?? "";
    this.#redirect = awaitedCode();
    this.#options.onBrowser(true);
    try {
      await this.#options.openExternal(url.href);
    } catch (error) {
      // Nobody comes back from there.
      this.#redirect?.reject(error instanceof Error ? error : new Error(String(error)));
      this.#end();
      throw error;
    }
  }

  async #keep(change: KeptSignIn): Promise<void> {
    this.#shared.kept = { ...this.#kept, ...change };
    await keepSignIn(this.#options.secrets, this.#options.url.href, this.#shared);
  }
}

/** RFC 6750, section 3.1. */
const isTooLittle = ({ headers }: Response) =>
  /\berror="?insufficient_scope\b/.test(headers.get("www-authenticate") ?? "");

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
