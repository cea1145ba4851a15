/**
 * Whether a rule's host fits a web address: `example.com` is that host alone, `*.example.com` everything below it. A port
 * that is not the usual one has to be named.
 */
export function fitsHost(rule: string, url: URL): boolean {
  const wanted = rule.toLowerCase().replace(/\.$/, "");
  const host = url.hostname.replace(/\.$/, "");
  const shown = url.port === "" ? host : `${host}:${url.port}`;
  return wanted.startsWith("*.")
    ? shown.endsWith(wanted.slice(1)) && shown !== wanted.slice(2)
    : shown === wanted;
}

/** @returns the address that a web tool's input names; null where there is none that can be read */
export function addressIn(input: unknown): URL | null {
  if (typeof input !== "object" || input === null || !("url" in input)) return null;
  if (typeof input.url !== "string" || !URL.canParse(input.url)) return null;
  const url = new URL(input.url);
  return url.protocol === "https:" || url.protocol === "http:" ? url : null;
}
