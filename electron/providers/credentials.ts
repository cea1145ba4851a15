/** An API key, or an OAuth access token, which is sent as a bearer token; and the variable it came from. */
export interface Credential {
  kind: "apiKey" | "authToken";
  value: string;
  name: string;
}

/** What there is in the environment. Blank counts as not set; of two names the first wins. */
export function credentialsIn(env: Readonly<Record<string, string | undefined>>): Credentials {
  const first = (names: readonly (readonly [string, Credential["kind"]])[]): Credential | undefined => {
    for (const [name, kind] of names) {
      const value = env[name]?.trim();
      if (value) return { kind, value, name };
    }
    return undefined;
  };
  return {
    // An OAuth access token wins over a key.
    anthropic: first([
      ["ANTHROPIC_AUTH_TOKEN", "authToken"],
      ["ANTHROPIC_API_KEY", "apiKey"],
    ]),
    openai: first([["OPENAI_API_KEY", "apiKey"]]),
    gemini: first([
      ["GEMINI_API_KEY", "apiKey"],
      ["GOOGLE_API_KEY", "apiKey"],
    ]),
  };
}

interface Credentials {
  anthropic: Credential | undefined;
  openai: Credential | undefined;
  gemini: Credential | undefined;
}
