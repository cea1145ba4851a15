import { withinOrigin } from "../../../shared/safety/redirects.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { asNodeFetch } from "./as-node-fetch.ts";

export interface ModelFetchOptions {
  /** The fast client: no proxy, and the certificates that Node brings. */
  direct: typeof fetch;
  /** The system's way: its proxy, its certificates. */
  system: typeof fetch;
  /** As Chromium says it: `DIRECT`, `PROXY host:port; DIRECT`, … */
  resolveProxy(url: string): Promise<string>;
  clock: Pick<Clock, "now">;
  /** Says once for each host that it is not reached directly, and why. */
  log(line: string): void;
}

/**
 * `fetch` for the models: the fast client wherever the system would go directly, too, and the system's own where it has a
 * proxy or knows a certificate that Node does not. A request that was never sent is sent the other way at once. By neither
 * does a key reach another origin.
 * @throws TypeError when there is no connection; the signal's reason when aborted
 */
export function modelFetch(options: ModelFetchOptions): typeof fetch {
  const ways = new ProxyChoices(options);
  const direct = withinOrigin(options.direct);
  const system = asNodeFetch(withinOrigin(options.system));
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const way = ways.known(url) ?? (await ways.ask(url));
    if (way === "system") return await system(input, init);
    try {
      return await direct(input, init);
    } catch (error) {
      const isAgain = !init?.signal?.aborted && isWhole(input, init);
      const code = isAgain ? codeOf(error) : "";
      if (untrusted.has(code)) {
        const answer = await system(input, init);
        ways.trustSystem(url);
        return answer;
      }
      // Networks change, and their proxies with them.
      if (!unreached.has(code) || (await ways.ask(url)) === "direct") throw error;
      return await system(input, init);
    }
  };
}

/** @param said as Chromium says it: its first choice counts */
export const isDirect = (said: string): boolean => /^\s*(DIRECT\b|$)/i.test(said);

type ProxyChoice = "direct" | "system";

/** How long an answer of the system counts before it is asked again, in milliseconds. */
const freshMs = 30_000;

/** How each host is reached, as the system said last. An old answer still serves while it is renewed behind. */
class ProxyChoices {
  readonly #options: ModelFetchOptions;
  readonly #known = new Map<string, { way: ProxyChoice; at: number }>();
  readonly #asking = new Map<string, Promise<ProxyChoice>>();
  /** Whose certificates only the system knows. */
  readonly #trusted = new Set<string>();

  constructor(options: ModelFetchOptions) {
    this.#options = options;
  }

  known(url: URL): ProxyChoice | undefined {
    if (this.#trusted.has(url.origin)) return "system";
    // No system sends what stays on this computer through a proxy.
    if (isLoopback(url.hostname)) return "direct";
    const known = this.#known.get(url.origin);
    if (known && this.#options.clock.now() - known.at > freshMs) void this.ask(url);
    return known?.way;
  }

  /** Never rejects: who cannot be asked has no proxy. */
  ask(url: URL): Promise<ProxyChoice> {
    const asked = this.#asking.get(url.origin);
    if (asked) return asked;
    const asking = this.#ask(url).finally(() => this.#asking.delete(url.origin));
    this.#asking.set(url.origin, asking);
    return asking;
  }

  trustSystem(url: URL): void {
    this.#trusted.add(url.origin);
    this.#options.log(`${url.host}: its certificate is one that only the system knows.`);
  }

  async #ask(url: URL): Promise<ProxyChoice> {
    const { resolveProxy, clock, log } = this.#options;
    if (isLoopback(url.hostname)) return "direct";
    const said = await resolveProxy(url.href).catch(() => "DIRECT");
    const way = isDirect(said) ? "direct" : "system";
    if (way === "system" && this.#known.get(url.origin)?.way !== way) log(`${url.host}: by proxy, ${said}`);
    this.#known.set(url.origin, { way, at: clock.now() });
    return way;
  }
}

const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(host);

/** Whether it can be sent twice. */
function isWhole(input: Parameters<typeof fetch>[0], init?: RequestInit): boolean {
  const body = init?.body ?? null;
  const isPlain = body === null || typeof body === "string" || body instanceof Uint8Array;
  return isPlain && !(input instanceof Request);
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return "";
  // A host with several addresses fails with the failures of all.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && "code" in first ? String(first.code) : "";
}

/** A chain that ends where Node knows nobody. */
const untrusted: ReadonlySet<string> = new Set([
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_UNTRUSTED",
]);

/** Nothing was sent: there was no connection. */
const unreached: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ETIMEDOUT",
]);
