import { addedEntries } from "./config/added-entries.ts";
import type { ConfigFiles } from "./config/config-files.ts";
import type { ConfigSource } from "./config/config-schema.ts";
import { type ImportPlaces, readForeign } from "./config/import-config.ts";
import type { McpManager } from "./manager.ts";

export interface ServerActionsOptions {
  manager: McpManager;
  files: ConfigFiles;
  places: ImportPlaces;
  /** Whether a server's command is there; absent where nobody knows. */
  hasProgram?(command: string): Promise<boolean>;
}

/** An address, or JSON. */
const isEntry = /^(?:https?:|\{)/;

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
    await this.#doubt(words);
    const hidden = this.manager.servers.find(
      ({ config }) => config.source === "settings" && Object.hasOwn(entries, config.name),
    );
    if (hidden) {
      const { name } = hidden.config;
      throw new Error(`\`${name}\` is configured in settings.json, which counts first. Change it there.`);
    }
    this.#options.files.add(entries);
    await this.manager.load();
    return Object.keys(entries);
  }

  /** Two words may be anything: nobody wants a server named "not" for "not valid". */
  async #doubt([name, command, ...more]: readonly string[]): Promise<void> {
    if (command === undefined || more.length > 0 || isEntry.test(command)) return;
    if ((await this.#options.hasProgram?.(command)) !== false) return;
    throw new Error(
      `There is no program \`${command}\` on this computer. To add \`${name}\`, give the command or address from its README.`,
    );
  }

  /** With what is known of a sign-in to it. @param folder where the server is seen from, here and below */
  async remove(name: string, folder?: string): Promise<void> {
    const server = this.manager.server(name, folder);
    const { source } = server.config;
    if (source !== "user")
      throw new Error(`\`${name}\` is configured in ${sourceName[source]}. Remove it there.`);
    const address = server.address();
    this.#options.files.remove(name);
    await this.manager.load();
    // Not before it has ended: it may be at a renewal.
    await this.manager.forgetSignIn(address);
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
