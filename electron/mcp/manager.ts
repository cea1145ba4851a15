import { isDeepStrictEqual } from "node:util";
import type { Tool } from "../agent/ports.ts";
import { type ConfigProblem, readConfig } from "./config.ts";
import type { ConfigFiles } from "./config-files.ts";
import type { ServerConfig } from "./config-schema.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionParts } from "./ports.ts";
import { McpServer, type ServerStatus } from "./server.ts";
import { forgetSignIn } from "./sign-in-store.ts";
import { type OnCall, withConnection } from "./tool-proxy.ts";
import { ToolSet } from "./tool-set.ts";

export interface ManagerOptions {
  parts: ConnectionParts;
  files: ConfigFiles;
  /** A call goes on: what its server asks meanwhile is its run's to answer. */
  onCall?: OnCall;
  onLog(server: string, line: string): void;
}

/** All configured servers: started at once, each on its own, ended together. */
export class McpManager {
  readonly #options: ManagerOptions;
  readonly #servers = new Map<string, McpServer>();
  readonly #tools: ToolSet;
  readonly #listeners = new Set<() => void>();
  #problems: ConfigProblem[] = [];
  #isDisposed = false;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#tools = new ToolSet({
      servers: () => this.servers,
      isOn: (server, tool) => this.isToolOn(server, tool),
      onCall: options.onCall ?? (() => () => {}),
    });
  }

  /** In the order of the configuration. */
  get servers(): readonly McpServer[] {
    return [...this.#servers.values()];
  }

  /** What is wrong with the configuration. */
  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  statuses(): ServerStatus[] {
    return this.servers.map(({ status }) => status);
  }

  /** Called after every change of a server's state or lists. @returns ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads the configuration and brings the servers in line with it: new ones start, changed ones start again, those that
   * are gone end; the others go on. Does not wait for starts.
   */
  async load(): Promise<void> {
    const { files } = this.#options;
    const { servers, problems } = readConfig(files.read());
    this.#problems = problems;
    const ended: Promise<void>[] = [];
    for (const [name, server] of this.#servers) {
      const next = servers.find((config) => config.name === name);
      if (next && isDeepStrictEqual(next, server.config)) continue;
      this.#servers.delete(name);
      ended.push(server.stop());
    }
    for (const config of servers) {
      if (this.#isDisposed || this.#servers.has(config.name)) continue;
      const server = this.#make(config);
      this.#servers.set(config.name, server);
      server.start(false);
    }
    this.#changed();
    await Promise.all(ended);
  }

  /** @throws Error that names the servers there are */
  server(name: string): McpServer {
    const server = this.#servers.get(name);
    if (server) return server;
    const names = [...this.#servers.keys()].map((known) => `\`${known}\``).join(", ");
    throw new Error(
      `There is no MCP server \`${name}\`. ${names ? `Configured: ${names}.` : "None is configured."}`,
    );
  }

  /** Lets an entry of the working folder run, as it is now. */
  allow(name: string): void {
    const server = this.server(name);
    this.#options.files.allow(server.config);
    server.start(true);
  }

  /** What is known of a sign-in to a server is gone: it is being removed. */
  async forgetSignIn(name: string): Promise<void> {
    const { url } = this.server(name).config.entry;
    if (url !== undefined && URL.canParse(url)) {
      await forgetSignIn(this.#options.parts.secrets, new URL(url).href);
    }
  }

  /** By the user's own switch, or else by its entry. */
  isToolOn({ config }: McpServer, tool: string): boolean {
    const { on, off } = config.entry.tools;
    const switched = this.#options.files.toolSwitches(config.name)[tool];
    return switched ?? ((on?.includes(tool) ?? true) && !off.includes(tool));
  }

  /** A tool was switched on or off. */
  toolsChanged(): void {
    this.#changed();
  }

  /** What a conversation's next request offers. */
  tools(conversationId: string): readonly Tool[] {
    return this.#tools.offered(conversationId);
  }

  /** The living connection of a server, waited for while it starts. @throws Error saying why there is none */
  async connectionFor(name: string, signal: AbortSignal): Promise<Connection> {
    return await withConnection(this.server(name), signal, async (connection) => connection);
  }

  /** Resolves when no server is starting any more. */
  async settled(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.settled()));
  }

  /** Ends every server. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  #make(config: ServerConfig): McpServer {
    const { parts, files, onLog } = this.#options;
    return new McpServer({
      config,
      parts,
      isApproved: () => files.isAllowed(config),
      onChange: () => this.#changed(),
      onListChanged: () => this.#changed(),
      onLog: (line) => onLog(config.name, line),
    });
  }

  #changed(): void {
    this.#tools.changed();
    for (const listener of this.#listeners) listener();
  }
}
