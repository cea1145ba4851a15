import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
} from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import type { ServerEntry } from "../config/config-schema.ts";

type Discovery = Required<Pick<OAuthClientProvider, "discoveryState" | "saveDiscoveryState">>;

/**
 * For a server that is signed in to without a person: the SDK's own, made as soon as the authorization server is pinned that
 * its secret is for.
 * @param issuer the pinned one @throws Error where there is none yet
 */
export function machineProvider(
  oauth: NonNullable<ServerEntry["oauth"]>,
  issuer: () => string,
  discovery: Discovery,
): OAuthClientProvider {
  const { scope } = oauth;
  const clientMetadata = {
    client_name: "Parley",
    redirect_uris: [],
    grant_types: ["client_credentials"],
    ...(scope !== undefined && { scope }),
  };
  let made: ClientCredentialsProvider | PrivateKeyJwtProvider | undefined;
  const provider = () => {
    made ??= sdkProvider(oauth, issuer());
    return made;
  };
  return {
    ...discovery,
    redirectUrl: undefined,
    get clientMetadata() {
      return made?.clientMetadata ?? clientMetadata;
    },
    clientInformation: () => provider().clientInformation(),
    saveClientInformation: (client) => provider().saveClientInformation(client),
    tokens: () => made?.tokens(),
    saveTokens: (tokens) => provider().saveTokens(tokens),
    redirectToAuthorization: () => provider().redirectToAuthorization(),
    saveCodeVerifier: () => provider().saveCodeVerifier(),
    codeVerifier: () => provider().codeVerifier(),
    prepareTokenRequest: (wanted) => provider().prepareTokenRequest(wanted),
    get addClientAuthentication() {
      return made instanceof PrivateKeyJwtProvider ? made.addClientAuthentication : undefined;
    },
  };
}

function sdkProvider(oauth: NonNullable<ServerEntry["oauth"]>, expectedIssuer: string) {
  const { clientId, clientSecret = "", privateKey, keyAlgorithm, scope } = oauth;
  const who = { clientId, clientName: "Parley", expectedIssuer, ...(scope !== undefined && { scope }) };
  return privateKey === undefined
    ? new ClientCredentialsProvider({ ...who, clientSecret })
    : new PrivateKeyJwtProvider({ ...who, privateKey, algorithm: keyAlgorithm });
}
