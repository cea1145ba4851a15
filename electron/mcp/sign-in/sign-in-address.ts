/** Where requests of a sign-in may go. */
export interface AddressRule {
  /** Whose sign-in it is. */
  server: string;
  /** The server's own address, which the user chose. */
  url: URL;
  /** The authorization server that its entry names; the user chose that, too. */
  issuer: string | undefined;
  /** Whether a name or an address leads to the public internet and nowhere else, as far as can be known here. */
  isPublicHost(host: string): Promise<boolean>;
}

/**
 * An address that a server names for a sign-in: encrypted, and no private one, unless it stands in the entry itself. A server
 * on this computer may name others on it.
 * @throws Error in words for the user
 */
export async function checkSignInAddress(address: URL, rule: AddressRule): Promise<void> {
  const { server, url, issuer, isPublicHost } = rule;
  const refused = (why: string) =>
    new Error(`${server} wants to sign in at ${address.origin}, which ${why}.`);
  if (isLoopback(url) && isLoopback(address) && isWeb(address)) return;
  if (address.protocol !== "https:") throw refused("is not encrypted");
  if (address.origin === url.origin || (issuer !== undefined && address.origin === originOf(issuer))) return;
  if (isLoopback(address) || !(await isPublicHost(address.hostname))) {
    throw refused(
      "is on this computer or a private network. If it is right, name it as `issuer` in the entry's `oauth`",
    );
  }
}

const isWeb = ({ protocol }: URL) => protocol === "https:" || protocol === "http:";

/** This computer, by an address or by the one name that stands for it; nothing is looked up. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : null);
