import { removed } from "../../../shared/safety/redact.ts";
import type { Asker } from "../ports.ts";

/** Shorter ones stand in any text. */
const shortestChars = 4;

/** What the user told servers in forms, and what was a secret: a server that repeats it tells it to nobody. */
export class GivenSecrets {
  readonly #given = new Map<Asker, Set<string>>();

  add(server: Asker, secrets: readonly string[]): void {
    const known = this.#given.get(server) ?? new Set();
    this.#given.set(server, known);
    for (const secret of secrets) {
      if (secret.length < shortestChars) continue;
      known.add(secret);
      // As it stands in JSON.
      known.add(JSON.stringify(secret).slice(1, -1));
    }
  }

  removedFrom(text: string, server: Asker): string {
    let result = text;
    for (const secret of this.#given.get(server) ?? []) result = result.replaceAll(secret, removed);
    return result;
  }
}
