/**
 * Whether a rule's host fits a web address: `example.com` is that host alone, `*.example.com` everything below it. A port
 * that is not the usual one has to be named.
 * @param loosely a rule without a port is for all of them
 */
export function fitsHost(rule: string, url: URL, loosely = false): boolean {
  const isBelow = rule.startsWith("*.");
  // Letters beyond ASCII are written in another way in an address.
  const named = `${url.protocol}//${isBelow ? rule.slice(2) : rule}`;
  if (/[/\\?#@]/.test(rule) || !URL.canParse(named)) return false;
  const { hostname, port } = new URL(named);
  const wanted = hostname.replace(/\.$/, "");
  const host = url.hostname.replace(/\.$/, "");
  if (port !== url.port && !(loosely && port === "")) return false;
  return isBelow ? host.endsWith(`.${wanted}`) : host === wanted;
}

/** @returns the address that a web tool's input names; null where there is none that can be read */
export function addressIn(input: unknown): URL | null {
  if (typeof input !== "object" || input === null || !("url" in input)) return null;
  if (typeof input.url !== "string" || !URL.canParse(input.url)) return null;
  const url = new URL(input.url);
  return url.protocol === "https:" || url.protocol === "http:" ? url : null;
}
