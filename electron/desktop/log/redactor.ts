import { removed, withoutSecrets } from "../../../shared/safety/redact.ts";

/** Shorter ones are words that occur by themselves. */
const shortestChars = 8;

/** Takes secrets out of text before it is written or shown: those that it was told of, and what looks like one. */
export class Redactor {
  readonly #known = new Set<string>();

  /** A secret of the user's, whatever it looks like. */
  know(secret: string | undefined): void {
    const value = secret?.trim() ?? "";
    if (value.length < shortestChars || this.#known.has(value)) return;
    this.#known.add(value);
    // As it stands in JSON and in addresses.
    this.#known.add(JSON.stringify(value).slice(1, -1));
    this.#known.add(encodeURIComponent(value));
  }

  /** Values of variables that are named like a secret. */
  knowVariables(variables: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(variables)) if (secretName.test(name)) this.know(value);
  }

  /** The strings of an object that is secret as a whole, such as a server's tokens. */
  knowStrings(value: unknown): void {
    if (typeof value === "string") this.know(value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner !== "string" || secretName.test(key)) this.knowStrings(inner);
      }
    }
  }

  text(text: string): string {
    let result = text;
    // One may begin with another one.
    const longestFirst = [...this.#known].sort((one, other) => other.length - one.length);
    for (const secret of longestFirst) result = result.replaceAll(secret, removed);
    return withoutSecrets(result);
  }
}

const secretName = /(?:^|[_-])(?:key|secret|token|passw(?:or)?d|passphrase|credentials?|authorization)$/i;
