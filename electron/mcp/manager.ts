import type { Tool } from "../agent/ports/ports.ts";
import { type ConfigProblem, entriesOf, readConfig } from "./config/config.ts";
import { type ConfigFiles, ownOf, projectFile } from "./config/config-files.ts";
import type { ServerConfig } from "./config/config-schema.ts";
import { watchFile } from "./config/watch-file.ts";
import type { Connection } from "./connection/connection.ts";
import type { ConnectionContext } from "./ports.ts";
import { McpServer, type ServerStatus } from "./server.ts";
import { type Endings, ServerSet } from "./server-set.ts";
import { forgetSignIn } from "./sign-in/sign-in-store.ts";
import { type OnCall, withConnection } from "./tools/tool-proxy.ts";
import { ToolSet } from "./tools/tool-set.ts";

export interface ManagerOptions {
  /** `workingFolder` is the one of new conversations: what names no folder is about it. */
  context: ConnectionContext;
  files: ConfigFiles;
  /** Resolves when it is known whether there is a fence: before, nobody is asked to trust what would run without. Absent: it is. */
  fenceKnown?: Promise<unknown> | undefined;
  /** A call goes on: what its server asks meanwhile is its run's to answer. */
  onCall?: OnCall;
  onLog(server: string, line: string): void;
}

/** What a folder's own file adds to the servers of everywhere. */
interface Folder {
  servers: ServerSet;
  problems: readonly ConfigProblem[];
  tools: ToolSet;
  /** Ends the watch over its file; null: there is none. */
  unwatch: (() => void) | null;
}

/**
 * All configured servers: started at once, each on its own, ended together. Those of settings and of the user are
 * everywhere; those of a folder's `.mcp.json` run, and are there, for the conversations that work in that folder. A
 * change of that file counts at once.
 */
export class McpManager {
  readonly #options: ManagerOptions;
  readonly #home: string;
  readonly #everywhere: ServerSet;
  readonly #folders = new Map<string, Folder>();
  /** For a folder that no conversation works in. */
  readonly #bare: Folder;
  readonly #ending: Endings = new Map();
  readonly #listeners = new Set<() => void>();
  #isLoaded = false;
  #isDisposed = false;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#home = options.context.workingFolder;
    this.#everywhere = new ServerSet((config) => this.#make(config), this.#ending);
    this.#bare = this.#newFolder();
    this.#folders.set(this.#home, this.#newFolder());
  }

  /** Of everywhere and of all folders. */
  get servers(): readonly McpServer[] {
    return [...this.#everywhere.all, ...[...this.#folders.values()].flatMap(({ servers }) => servers.all)];
  }

  /** What a conversation in this folder has. */
  serversIn(folder = this.#home): readonly McpServer[] {
    return [...this.#everywhere.all, ...(this.#folders.get(folder)?.servers.all ?? [])];
  }

  /** What is wrong with the configuration, as a conversation in this folder meets it. */
  problemsIn(folder = this.#home): readonly ConfigProblem[] {
    return this.#folders.get(folder)?.problems ?? [];
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
    if (this.#options.fenceKnown) await this.#options.fenceKnown;
    if (this.#isDisposed) return;
    this.#isLoaded = true;
    const ended = [
      this.#everywhere.bring(this.#configured()),
      ...[...this.#folders.keys()].map((one) => this.#read(one)),
    ];
    this.#changed();
    await Promise.all(ended);
  }

  /** Everywhere. Who is in the middle of an edit does not mean to end them: those of a broken file stay as they were. */
  #configured(): ServerConfig[] {
    const texts = this.#options.files.read(null);
    const { servers } = readConfig(texts);
    const broken = texts.filter((text) => typeof entriesOf(text) === "string").map(({ source }) => source);
    const names = new Set(servers.map(({ name }) => name));
    const kept = this.#everywhere.all.map(({ config }) => config);
    return [...servers, ...kept.filter(({ name, source }) => broken.includes(source) && !names.has(name))];
  }

  /** In which folders conversations work: the servers of their files are there from now on, those of others end. */
  async setFolders(folders: Iterable<string>): Promise<void> {
    const wanted = new Set(folders);
    const ended: Promise<void>[] = [];
    const before = [...this.#folders.keys()];
    for (const folder of before.filter((one) => !wanted.has(one))) {
      const left = this.#folders.get(folder);
      left?.unwatch?.();
      ended.push(left?.servers.bring([]) ?? Promise.resolve());
      this.#folders.delete(folder);
    }
    const added = [...wanted].filter((one) => !before.includes(one));
    for (const folder of added) {
      this.#folders.set(folder, this.#newFolder());
      if (this.#isLoaded && !this.#isDisposed) ended.push(this.#read(folder));
    }
    if (ended.length > 0) this.#changed();
    await Promise.all(ended);
  }

  /** @throws Error that names the servers there are */
  server(name: string, folder = this.#home): McpServer {
    const server = this.#everywhere.get(name) ?? this.#folders.get(folder)?.servers.get(name);
    if (server) return server;
    throw new Error(`There is no MCP server \`${name}\`. ${this.#whatIsThere(folder)}`);
  }

  #whatIsThere(folder: string): string {
    if (!this.#isLoaded) return "The list is still being read: try again in a moment.";
    const names = this.serversIn(folder).map(({ config }) => `\`${config.name}\``);
    return names.length > 0 ? `Configured: ${names.join(", ")}.` : "None are configured.";
  }

  /**
   * Lets an entry of a folder's file run as it was shown.
   * @param fingerprint of what the user saw
   * @throws Error when it would run otherwise now
   */
  allow(name: string, fingerprint: string, folder = this.#home): void {
    const server = this.server(name, folder);
    if (server.proposal()?.fingerprint !== fingerprint) {
      throw new Error(`\`${name}\` has changed since it was shown to you. Look at it again.`);
    }
    this.#options.files.allow(fingerprint);
    server.start(true);
  }

  /** From its next start on, which is now where it runs. @throws Error for one whose fence is not the user's to open */
  async switchFence(name: string, isOn: boolean, folder = this.#home): Promise<void> {
    const server = this.server(name, folder);
    if (server.config.source === "project" || server.config.entry.command === undefined) {
      throw new Error(`The fence of \`${name}\` cannot be switched.`);
    }
    this.#options.files.switchFence(server.config, isOn);
    if (["ready", "starting", "failed"].includes(server.status.state)) await server.restart();
    this.#changed();
  }

  /** What is known of a sign-in to an address is gone, unless another server is there, too. */
  async forgetSignIn(address: string | null): Promise<void> {
    if (address === null || this.servers.some((server) => server.address() === address)) return;
    await forgetSignIn(this.#options.context.secrets, address);
  }

  /** By the user's own switch, or else by its entry. */
  isToolOn({ config }: McpServer, tool: string): boolean {
    const { on, off } = config.entry.tools;
    const switched = ownOf(this.#options.files.toolSwitches(config), tool);
    return switched ?? ((on?.includes(tool) ?? true) && !off.includes(tool));
  }

  /** A tool was switched on or off. */
  toolsChanged(): void {
    this.#changed();
  }

  /** What a conversation's next request offers. */
  tools(conversationId: string, folder = this.#home): readonly Tool[] {
    return (this.#folders.get(folder) ?? this.#bare).tools.offered(conversationId);
  }

  /** The living connection of a server, waited for while it starts. @throws Error saying why there is none */
  async connectionFor(name: string, signal: AbortSignal, folder = this.#home): Promise<Connection> {
    return await withConnection(this.server(name, folder), signal, async (connection) => connection);
  }

  /** Somebody needs this server now: where it was given up it starts again. One that is not there stays so. */
  revive(name: string, folder = this.#home): void {
    this.serversIn(folder)
      .find(({ config }) => config.name === name)
      ?.revive();
  }

  /** There is a fence now: those that failed without one start. */
  fenceFound(): void {
    for (const server of this.servers) if (server.isFenced) server.revive();
  }

  /** Resolves when no server is starting any more. */
  async settled(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.settled()));
  }

  /** Resolves when none of those that a conversation in this folder will have is starting any more, or at the signal. */
  async readyIn(folder: string, signal: AbortSignal): Promise<void> {
    if (!this.#folders.has(folder)) await this.setFolders([...this.#folders.keys(), folder]);
    await Promise.all(this.serversIn(folder).map((server) => server.settled(signal)));
  }

  /** Ends every server. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const { unwatch } of this.#folders.values()) unwatch?.();
    await Promise.all([...this.servers.map((server) => server.stop()), ...this.#ending.values()]);
  }

  #newFolder(): Folder {
    const servers = new ServerSet((config) => this.#make(config), this.#ending);
    const tools = new ToolSet({
      servers: () => [...this.#everywhere.all, ...servers.all],
      isOn: (server, tool) => this.isToolOn(server, tool),
      onCall: this.#options.onCall ?? (() => ({ end: () => {}, clean: (text) => text })),
    });
    return { servers, problems: [], tools, unwatch: null };
  }

  /** @returns resolves when what is not in its file any more has ended */
  async #read(path: string): Promise<void> {
    const folder = this.#folders.get(path);
    if (!folder) return;
    // Before it is read: nothing goes unseen in between.
    folder.unwatch ??= this.#watch(path, folder);
    const texts = this.#options.files.read(path);
    const { servers, problems } = readConfig(texts);
    folder.problems = problems;
    // Who is in the middle of an edit does not mean to end them.
    const isBroken = texts.some((text) => text.source === "project" && typeof entriesOf(text) === "string");
    if (!isBroken) await folder.servers.bring(servers.filter(({ source }) => source === "project"));
  }

  #watch(path: string, folder: Folder): (() => void) | null {
    const { context, onLog } = this.#options;
    const say = (line: string) => onLog(projectFile, `(Parley) ${path}: ${line}`);
    const readAgain = async () => {
      const read = this.#read(path);
      this.#changed();
      await read;
    };
    return watchFile({
      folder: path,
      name: projectFile,
      clock: context.clock,
      onChange: () => void readAgain().catch((error: unknown) => say(String(error))),
      onEnd: (why) => {
        folder.unwatch = null;
        say(`changes show when it comes into use again (${why}).`);
      },
    });
  }

  #make(config: ServerConfig): McpServer {
    const { context, files, onLog } = this.#options;
    const { folder } = config;
    return new McpServer({
      config,
      // One that comes with a folder works there.
      context:
        folder === undefined
          ? { ...context, startFolder: context.home }
          : { ...context, workingFolder: folder },
      isAllowed: (fingerprint) => files.isAllowed(fingerprint),
      wantsFence: () => files.wantsFence(config),
      hosts: {
        are: (trust) => files.hosts(trust),
        allow: (trust, host) => files.allowHost(trust, host),
      },
      left: { are: () => files.left(config), keep: (left) => files.keepLeft(config, left) },
      onChange: () => this.#changed(),
      onListChanged: () => this.#changed(),
      onLog: (line) => onLog(config.name, line),
    });
  }

  #changed(): void {
    for (const { tools } of [this.#bare, ...this.#folders.values()]) tools.changed();
    for (const listener of this.#listeners) listener();
  }
}
