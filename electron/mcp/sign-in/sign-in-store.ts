import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { z } from "zod";
import type { SecretStore } from "../ports.ts";
import { signInPlace } from "./issuer-pin.ts";
import { SharedListener } from "./shared-listener.ts";

const kept = z.object({
  // Their shape is the SDK's: it wants back what it gave, and nothing of ours is read from them.
  client: z.custom<OAuthClientInformationMixed>(isRecord).optional(),
  tokens: z.custom<OAuthTokens>(isRecord).optional(),
  redirectPort: z.number().int().optional(),
  /** With whom it is: pinned from the first answer on. */
  discovery: z.custom<OAuthDiscoveryState>(isDiscovery).optional(),
  /** Whom the server named in place of that, or for a secret: told to the user, who has not agreed yet. */
  offered: signInPlace.optional(),
});
export type KeptSignIn = z.infer<typeof kept>;

const secretName = (url: string) => `mcp-oauth:${url}`;

/** A sign-in to an address, for as long as a connection to it is open: what renews its access is good for one use. */
export interface SharedSignIn {
  kept: KeptSignIn;
  /** The last renewal, with what it was asked for with. */
  renewal: { token: string; answer: Promise<Response> } | null;
  /** Grows whenever somebody signed in, or access was renewed. */
  count: number;
  listener: SharedListener;
  /** How many connections have it. */
  users: number;
  /** The user has removed the server: nothing is kept any more. */
  isForgotten: boolean;
}

const open = new WeakMap<SecretStore, Map<string, SharedSignIn>>();

function openIn(secrets: SecretStore): Map<string, SharedSignIn> {
  const known = open.get(secrets) ?? new Map<string, SharedSignIn>();
  open.set(secrets, known);
  return known;
}

/** What is known of a sign-in to a server: who we are to it, and its tokens. `closeSignIn` follows. Unreadable is as none. */
export async function openSignIn(secrets: SecretStore, url: string): Promise<SharedSignIn> {
  const kept = await readSignIn(secrets, url);
  const fresh = {
    kept,
    renewal: null,
    count: 0,
    listener: new SharedListener(),
    users: 0,
    isForgotten: false,
  };
  const shared = openIn(secrets).get(url) ?? fresh;
  openIn(secrets).set(url, shared);
  shared.users++;
  return shared;
}

export function closeSignIn(secrets: SecretStore, url: string, shared: SharedSignIn): void {
  shared.users--;
  if (shared.users === 0 && openIn(secrets).get(url) === shared) openIn(secrets).delete(url);
}

async function readSignIn(secrets: SecretStore, url: string): Promise<KeptSignIn> {
  const text = await secrets.read(secretName(url));
  if (text === undefined) return {};
  try {
    return kept.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

export async function keepSignIn(secrets: SecretStore, url: string, shared: SharedSignIn): Promise<void> {
  if (!shared.isForgotten) await secrets.write(secretName(url), JSON.stringify(shared.kept));
}

export async function forgetSignIn(secrets: SecretStore, url: string): Promise<void> {
  const shared = openIn(secrets).get(url);
  if (shared) shared.isForgotten = true;
  openIn(secrets).delete(url);
  await secrets.write(secretName(url), undefined);
}

function isDiscovery(value: unknown): boolean {
  return z.object({ authorizationServerUrl: z.url() }).safeParse(value).success;
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
