import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import { z } from "zod";
import { visibleText } from "../../../shared/safety/visible-text.ts";

/** Whom a sign-in is with, as it was named: what was agreed to once holds for these three and no others. */
export const signInPlace = z.object({
  /** The address of the authorization server. */
  server: z.string(),
  /** What that calls itself; null where it says nothing. */
  issuer: z.string().nullable(),
  tokenEndpoint: z.string(),
});
export type SignInPlace = z.infer<typeof signInPlace>;

export function placeOf({
  authorizationServerUrl,
  authorizationServerMetadata,
}: OAuthDiscoveryState): SignInPlace {
  return {
    server: authorizationServerUrl,
    issuer: authorizationServerMetadata?.issuer ?? null,
    // Where it says nothing of itself, the protocol of 2025-03-26 knows the path.
    tokenEndpoint: new URL(authorizationServerMetadata?.token_endpoint ?? "/token", authorizationServerUrl)
      .href,
  };
}

export const isSamePlace = (one: SignInPlace, other: SignInPlace): boolean =>
  isSameIssuer(one.server, other.server) &&
  one.issuer === other.issuer &&
  one.tokenEndpoint === other.tokenEndpoint;

/**
 * Why an answer from the browser is not taken: the code in it would go to whom it is not from (RFC 9207, section 2.4).
 * @param from who says that it answers; null: it does not say
 * @param saysWho whether it says of itself that its answers name it
 * @returns in words for the user; null: it may be taken
 */
export function objectionToAnswer(
  discovery: OAuthDiscoveryState,
  from: string | null,
  saysWho: boolean,
): string | null {
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
  if (from === null && !saysWho) return null;
  const isRight =
    metadata === undefined
      ? from !== null && isSameIssuer(from, authorizationServerUrl)
      : from === metadata.issuer;
  if (isRight) return null;
  const whose = from === null ? "one without a name" : visibleText(from).slice(0, maxNamed);
  return `the answer came from ${whose}, not from ${metadata?.issuer ?? authorizationServerUrl}. Nothing was sent there`;
}

/** Letters of a name that anybody may have written. */
const maxNamed = 200;

/** A slash at the end makes no other. */
export const isSameIssuer = (one: string, other: string): boolean =>
  one.replace(/\/$/, "") === other.replace(/\/$/, "");

export interface PinQuestion {
  /** Whose sign-in it is, and its own address. */
  name: string;
  url: URL;
  /** What it names now. */
  place: SignInPlace;
  /** What it named when the user signed in; null: never. */
  known: SignInPlace | null;
  /** What the user was told of, and started the server again after that. */
  agreed: SignInPlace | null;
  /** Whether a secret of the entry goes to it. */
  hasSecret: boolean;
  /** Whether the entry itself names the authorization server. */
  isNamed: boolean;
}

/** Why nothing is sent to where a server wants the sign-in, in words for the user; null: it may be. */
export function objectionTo(question: PinQuestion): string | null {
  const { name, url, place, known, agreed, hasSecret, isNamed } = question;
  if ([known, agreed].some((one) => one !== null && isSamePlace(one, place))) return null;
  const again = `If that is right, \`/mcp restart ${name}\``;
  if (known) {
    const [before, now] = differing(known, place);
    return `${name} wants you to sign in at ${now}; until now it was ${before}. Nothing was sent there. ${again} signs you in anew.`;
  }
  const isItself =
    new URL(place.server).origin === url.origin && new URL(place.tokenEndpoint).origin === url.origin;
  if (!hasSecret || isNamed || isItself) return null;
  return `${name} wants its client secret sent to ${place.tokenEndpoint}. Nothing was sent there. ${again} sends it there, and from then on nowhere else.`;
}

/** The first of the three that is another. */
function differing(known: SignInPlace, place: SignInPlace): [string, string] {
  if (!isSameIssuer(known.server, place.server)) return [known.server, place.server];
  if (known.tokenEndpoint !== place.tokenEndpoint) return [known.tokenEndpoint, place.tokenEndpoint];
  return [known.issuer ?? "one without a name", place.issuer ?? "one without a name"];
}
