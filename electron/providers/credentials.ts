import { keyVariables } from "../../shared/safety/secrets.ts";

/** An API key, or an OAuth access token, which is sent as a bearer token; and the variable it came from. */
export interface Credential {
  kind: "apiKey" | "authToken";
  value: string;
  name: string;
}

/** What there is in the environment. Blank counts as not set; of two names the first wins. */
export function credentialsIn(env: Readonly<Record<string, string | undefined>>): Credentials {
  const first = (names: readonly string[]): Credential | undefined => {
    for (const name of names) {
      const value = env[name]?.trim();
      if (value) return { kind: name.endsWith("_AUTH_TOKEN") ? "authToken" : "apiKey", value, name };
    }
    return undefined;
  };
  return {
    // An OAuth access token wins over a key.
    anthropic: first(keyVariables.anthropic),
    openai: first(keyVariables.openai),
    gemini: first(keyVariables.gemini),
  };
}

export interface Credentials {
  anthropic: Credential | undefined;
  openai: Credential | undefined;
  gemini: Credential | undefined;
}
