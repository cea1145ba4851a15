import { isDeepStrictEqual } from "node:util";
import type { ServerConfig } from "./config/config-schema.ts";
import type { McpServer } from "./server.ts";

/** Servers that come from the same files, by their names, in the order of the configuration. */
export class ServerSet {
  readonly #make: (config: ServerConfig) => McpServer;
  #servers = new Map<string, McpServer>();

  constructor(make: (config: ServerConfig) => McpServer) {
    this.#make = make;
  }

  get all(): readonly McpServer[] {
    return [...this.#servers.values()];
  }

  get(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  /**
   * New ones start, changed ones start again, those that are gone end; the others go on. Does not wait for starts.
   * @returns resolves when those that are gone have ended
   */
  async bring(configs: readonly ServerConfig[]): Promise<void> {
    const before = this.#servers;
    const isKept = (server: McpServer) =>
      configs.some(
        (config) => config.name === server.config.name && isDeepStrictEqual(config, server.config),
      );
    const ended = [...before.values()].filter((server) => !isKept(server)).map((server) => server.stop());
    this.#servers = new Map();
    for (const config of configs) {
      const known = before.get(config.name);
      const server = known && isKept(known) ? known : this.#make(config);
      this.#servers.set(config.name, server);
      if (server !== known) server.start(false);
    }
    await Promise.all(ended);
  }
}
