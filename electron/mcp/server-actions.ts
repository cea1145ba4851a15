import { addedEntries } from "./config/added-entries.ts";
import type { ConfigFiles } from "./config/config-files.ts";
import type { ConfigSource } from "./config/config-schema.ts";
import { type ImportPlaces, readForeign } from "./config/import-config.ts";
import type { McpManager } from "./manager.ts";

export interface ServerActionsOptions {
  manager: McpManager;
  files: ConfigFiles;
  places: ImportPlaces;
}

/** What both `/mcp` and the window do with servers. All throw Errors in words for the user. */
export class ServerActions {
  readonly manager: McpManager;
  readonly #options: ServerActionsOptions;

  constructor(options: ServerActionsOptions) {
    this.#options = options;
    this.manager = options.manager;
  }

  /** @param words as they were split, `typed` as they were typed @returns the names */
  async add(words: readonly string[], typed: string): Promise<string[]> {
    const entries = addedEntries([...words], typed);
    if (typeof entries === "string") throw new Error(entries);
    this.#options.files.add(entries);
    await this.manager.load();
    return Object.keys(entries);
  }

  /** With what is known of a sign-in to it. @param folder where the server is seen from, here and below */
  async remove(name: string, folder?: string): Promise<void> {
    const server = this.manager.server(name, folder);
    const { source } = server.config;
    if (source !== "user") throw new Error(`\`${name}\` stands in ${sourceName[source]}: remove it there.`);
    await this.manager.forgetSignIn(server);
    this.#options.files.remove(name);
    await this.manager.load();
  }

  /** @returns a line for each thing found; none: nothing was */
  async import(): Promise<string[]> {
    const taken = new Set(this.manager.servers.map(({ config }) => config.name));
    const { entries, lines } = readForeign(this.#options.places, taken);
    if (lines.length === 0) return [];
    this.#options.files.add(entries);
    await this.manager.load();
    return lines;
  }

  /** Whether the model is offered a tool, from its next request on; it stays so. */
  switchTool(name: string, tool: string, isOn: boolean, folder?: string): void {
    const server = this.manager.server(name, folder);
    const known = server.connection?.tools.map((listed) => listed.name) ?? [];
    if (!known.includes(tool)) throw new Error(`\`${name}\` has no tool \`${tool}\`.`);
    this.#options.files.switchTool(server.config, tool, isOn);
    this.manager.toolsChanged();
  }
}

export const sourceName: Readonly<Record<ConfigSource, string>> = {
  settings: "settings.json",
  user: "your mcp.json",
  project: "the working folder's .mcp.json",
};
