import { grouped } from "../../../shared/grouped.ts";
import { proxyRefusalIn } from "../../../shared/safety/proxy-refusal.ts";
import { codeOf } from "../../files/calls.ts";
import { type AddressRule, checkedLookup, checkName, checkUrl, WebError } from "./web-address.ts";

export const maxPageBytes = 5_000_000;
const maxRedirects = 5;
const timeoutMs = 30_000;

export interface Page {
  /** Where it was in the end. */
  url: URL;
  status: number;
  /** As the server says, lower case; empty where it does not. */
  contentType: string;
  bytes: Uint8Array;
}

/** The system's way to pages that it has a proxy for. */
export interface WebProxy {
  isFor(url: URL): Promise<boolean>;
  /** Takes `redirect: "manual"`. */
  fetch: typeof fetch;
}

/**
 * Fetches one page, going where it redirects to on its host. Every address on the way is checked before it is connected
 * to, and what is on another host is a call of its own: who allowed this host said nothing of that one. A proxy looks names
 * up itself: there, only the name and what it is to this computer can be checked.
 * @throws WebError in words for the model; the signal's reason when aborted
 */
export async function fetchPage(
  address: string,
  { isAllowed, signal, proxy }: { isAllowed: AddressRule; signal: AbortSignal; proxy?: WebProxy | undefined },
): Promise<Page> {
  // At first use: the start of the app should not wait for it.
  const { Agent, fetch: fetchDirectly } = await import("undici");
  const agent = new Agent({ connect: { lookup: checkedLookup(isAllowed) } });
  const late = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, late]);
  try {
    let url = parsed(address);
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      checkUrl(url, isAllowed);
      const isProxied = await proxy?.isFor(url);
      if (isProxied) await checkName(url.hostname, isAllowed);
      const response =
        proxy && isProxied
          ? await proxy.fetch(url, { redirect: "manual", signal: either, headers })
          : await fetchDirectly(url, { dispatcher: agent, redirect: "manual", signal: either, headers });
      const location = response.headers.get("location");
      if (!redirectStatus.has(response.status) || location === null) {
        const contentType = response.headers.get("content-type")?.toLowerCase() ?? "";
        return { url, status: response.status, contentType, bytes: await bytesOf(response) };
      }
      await response.body?.cancel();
      const next = parsed(location, url);
      checkUrl(next, isAllowed);
      if (!isSameHost(next, url)) {
        throw new WebError(
          `${address} leads to another host. Fetch it by itself if it is wanted: ${next.href}`,
        );
      }
      url = next;
    }
    throw new WebError(`${address} redirects more than ${maxRedirects} times.`);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new WebError(`${address} did not answer within ${timeoutMs / 1000} seconds.`);
    throw inWords(error, address);
  } finally {
    // What still comes is of no use to anybody.
    await agent.destroy();
  }
}

const headers = { "user-agent": "Parley", accept: "text/html, text/*;q=0.9, */*;q=0.5" };

/** A change to https, or to `www.` and back, is no other host. */
function isSameHost(a: URL, b: URL): boolean {
  const name = ({ hostname }: URL) => hostname.replace(/^www\./, "").replace(/\.$/, "");
  return name(a) === name(b) && a.port === b.port;
}

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function parsed(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new WebError(`${address} is not a web address.`);
  return new URL(address, base);
}

/** Counted as they come, unpacked: a small answer can unpack to anything. */
async function bytesOf({ body }: { body: AsyncIterable<unknown> | null }): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) throw new WebError("The answer came in no known form.");
    size += chunk.length;
    if (size > maxPageBytes) {
      throw new WebError(`The page is larger than ${grouped(maxPageBytes)} bytes, the most that is fetched.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The reason is usually two causes down, below "fetch failed". */
function inWords(error: unknown, address: string): WebError {
  const refused = proxyRefusalIn(error);
  if (refused) return new WebError(`${refused.message} ${refused.hint}`, { cause: error });
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof WebError) return at;
    const words = reasons[codeOf(at)];
    if (words !== undefined) return new WebError(`${address} cannot be fetched: ${words}`, { cause: error });
    if (at.cause === undefined)
      return new WebError(`${address} cannot be fetched: ${at.message}`, { cause: error });
  }
  return new WebError(`${address} cannot be fetched.`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host.",
  EAI_AGAIN: "the name cannot be looked up now; is there a network?",
  ECONNREFUSED: "the connection was refused.",
  ECONNRESET: "the connection was broken.",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer.",
};
