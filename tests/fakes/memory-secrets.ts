import type { SecretStore } from "../../electron/mcp/ports.ts";

/** Secrets for as long as Parley runs: where the system offers no safe place, nothing is written. */
export class MemorySecrets implements SecretStore {
  readonly #values = new Map<string, string>();

  async read(name: string): Promise<string | undefined> {
    return this.#values.get(name);
  }

  async write(name: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, value);
  }
}
