import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** A page that may not be fetched, in words. */
export class WebError extends Error {
  override readonly name = "WebError";
}

/**
 * Whether an address is one of the public internet, and not of this computer, its network, or one reserved for something
 * else. An IPv4 address inside an IPv6 one counts as what it is.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (cloudHosts.has(parsed.toString())) return false;
  if (parsed.range() === "rfc6052") return isPublicAddress(embedded(parsed.toByteArray()));
  if (parsed.range() !== "unicast") return false;
  // Of IPv6 only this part has been given out; ipaddr takes much of the rest for unicast, such as ::127.0.0.1.
  return parsed.kind() === "ipv4" || (parsed.toByteArray()[0] ?? 0) >> 5 === 1;
}

/**
 * Written like public ones, but each cloud computer reaches its own keeper there, who hands out its credentials. Those of the
 * other clouds are link-local, unique local or shared addresses, none of which is public.
 */
const cloudHosts: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The IPv4 address that a translator for IPv6-only networks makes of 64:ff9b::a.b.c.d. */
const embedded = (bytes: number[]) => bytes.slice(12).join(".");

/** Whether an IP address may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * @throws WebError for anything but http and https, and for an address that breaks the rule and is written as such. Names
 *   are checked by `checkedLookup`, when they are looked up
 */
export function checkUrl(url: URL, isAllowed: AddressRule): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new WebError(`Only http and https pages can be fetched, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new WebError("An address with a user name or password in it is not fetched.");
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(host) && !isAllowed(host)) throw privateAddress(url.hostname);
}

/**
 * Looks names up for connections, and hands on only addresses that are allowed: what was checked is what is connected to, so a name
 * that leads somewhere else a moment later gains nothing.
 */
export function checkedLookup(isAllowed: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }).then(
      (addresses) => {
        const [first, ...rest] = addresses.filter(({ address }) => isAllowed(address));
        if (!first) callback(privateAddress(hostname), []);
        else if (options.all) callback(null, [first, ...rest]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/** In milliseconds. Behind a proxy many computers look up no name of the outside, and some wait long for it. */
const lookupMs = 2000;

/**
 * For a name that somebody else looks up: refused is what can only be a private one, and what leads to a private address from
 * here. What a name means only there remains unknown.
 * @param look the addresses of a name @throws WebError
 */
export async function checkName(
  host: string,
  isAllowed: AddressRule,
  look: (name: string) => Promise<{ address: string }[]> = (name) => lookup(name, { all: true }),
): Promise<void> {
  const isAddress = ipaddr.isValid(host.replace(/^\[(.*)\]$/, "$1"));
  if (isAddress) return;
  const name = host.toLowerCase().replace(/\.$/, "");
  // Whoever allows private addresses allows these names.
  if (isPrivateName.test(name) && !isAllowed("127.0.0.1")) throw privateAddress(host);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), lookupMs);
  });
  const known = await Promise.race([look(name).catch(() => []), late]);
  clearTimeout(timer);
  if (known.some(({ address }) => !isAllowed(address))) throw privateAddress(host);
}

/** Whether a name or an address leads to the public internet and nowhere else, as far as can be known from here. */
export async function isPublicHost(
  host: string,
  look?: (name: string) => Promise<{ address: string }[]>,
): Promise<boolean> {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(address)) return isPublicAddress(address);
  return checkName(host, isPublicAddress, look).then(
    () => true,
    () => false,
  );
}

/** No dot, or an ending that is set aside, or in use, for what is not public. */
const isPrivateName = /^[^.]*$|\.(local|localhost|internal|intranet|lan|corp|home|private|home\.arpa)$/;

const privateAddress = (host: string) =>
  new WebError(
    `${host} is on this computer or a private network, which web_fetch does not reach. The setting webFetchPrivate allows it.`,
  );
