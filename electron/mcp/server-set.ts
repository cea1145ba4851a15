import { isDeepStrictEqual } from "node:util";
import type { ServerConfig } from "./config/config-schema.ts";
import type { McpServer } from "./server.ts";

/** Servers that are about to be gone, by where they are from and their names. */
export type Endings = Map<string, Promise<void>>;

const keyOf = ({ folder, name }: ServerConfig) => JSON.stringify([folder ?? null, name]);

/** Servers that come from the same files, by their names, in the order of the configuration. */
export class ServerSet {
  readonly #make: (config: ServerConfig) => McpServer;
  readonly #ending: Endings;
  #servers = new Map<string, McpServer>();

  /** @param ending of all sets: a folder may come back while its servers are still ending */
  constructor(make: (config: ServerConfig) => McpServer, ending: Endings) {
    this.#make = make;
    this.#ending = ending;
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
    const ended = [...before.values()].filter((server) => !isKept(server)).map((server) => this.#end(server));
    this.#servers = new Map();
    for (const config of configs) {
      const known = before.get(config.name);
      const server = known && isKept(known) ? known : this.#make(config);
      this.#servers.set(config.name, server);
      // Two at once would be in each other's way: a lock, a port, the fence is one's.
      if (server !== known) server.start(false, this.#ending.get(keyOf(config)));
    }
    await Promise.all(ended);
  }

  async #end(server: McpServer): Promise<void> {
    const key = keyOf(server.config);
    const ended = Promise.all([this.#ending.get(key), server.stop()]).then(() => {});
    this.#ending.set(key, ended);
    await ended;
    if (this.#ending.get(key) === ended) this.#ending.delete(key);
  }
}
