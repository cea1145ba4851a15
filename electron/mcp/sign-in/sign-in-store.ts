import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { z } from "zod";
import type { SecretStore } from "../ports.ts";
import { signInPlace } from "./issuer-pin.ts";

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

/** What is known of a sign-in to a server: who we are to it, and its tokens. Unreadable is as none. */
export async function readSignIn(secrets: SecretStore, url: string): Promise<KeptSignIn> {
  const text = await secrets.read(secretName(url));
  if (text === undefined) return {};
  try {
    return kept.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

export async function keepSignIn(secrets: SecretStore, url: string, signIn: KeptSignIn): Promise<void> {
  await secrets.write(secretName(url), JSON.stringify(signIn));
}

export async function forgetSignIn(secrets: SecretStore, url: string): Promise<void> {
  await secrets.write(secretName(url), undefined);
}

function isDiscovery(value: unknown): boolean {
  return z.object({ authorizationServerUrl: z.url() }).safeParse(value).success;
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
