import { type KeyMaker, keyMaker, makerNames } from "../../shared/safety/key-test.ts";
import { ModelError } from "../agent/ports/ports.ts";

export const openaiAddress = "https://api.openai.com/v1";

/** Where each maker's own models answer. */
export const ownHosts: Readonly<Record<KeyMaker, string>> = {
  anthropic: "api.anthropic.com",
  openai: new URL(openaiAddress).host,
  gemini: "generativelanguage.googleapis.com",
};

/** Whom a request goes to, as people call them: a maker by its name, anybody else by the host. */
export function nameOfHost(host: string): string {
  const maker = keyMaker.options.find((one) => ownHosts[one] === host);
  return maker ? makerNames[maker] : host;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The address that a variable sets; blank counts as not set.
 * @throws ModelError
 */
export function addressIn(env: Variables, name: string): string | undefined {
  const address = env[name]?.trim() || undefined;
  return address === undefined ? undefined : checkedAddress(address, name);
}

/**
 * What is said, and the key, is for nobody on the way.
 * @param name where the address stands @throws ModelError for what is neither https nor on this computer
 */
export function checkedAddress(address: string, name: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return address;
  if (url?.protocol === "http:") {
    const message = `"${address}" is not encrypted: anybody on the way can read your conversation and your key.`;
    throw new ModelError(
      "invalid_request",
      message,
      `Change ${name} to an https:// address, or to one on this computer.`,
    );
  }
  const message = `"${address}" is not a web address.`;
  throw new ModelError("invalid_request", message, `Correct ${name}: https://… is wanted.`);
}

/** This computer, by an address or by a name that stands for it. */
export const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(host);
