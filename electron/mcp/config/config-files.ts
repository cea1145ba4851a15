import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { maxBytes, readSmallFile } from "../../files/small-file.ts";
import type { PutAsideFiles } from "../connection/pending-files.ts";
import { type ConfigText, entriesOf } from "./config.ts";
import type { ServerConfig } from "./config-schema.ts";

export interface ConfigPlaces {
  /** The settings' own `mcpServers`. */
  settings(): unknown;
  userData: string;
  /** Whether the user trusts what a folder brings: until then its file is not read. Absent: no folder's. */
  isTrusted?(path: string): boolean;
}

/** The file of a working folder. */
export const projectFile = ".mcp.json";

const record = z.record(z.string(), z.unknown());

/** Where servers are configured: settings, `mcp.json` of the user, `.mcp.json` of a working folder, in this order. */
export class ConfigFiles {
  readonly #places: ConfigPlaces;
  readonly #approvedFile: string;
  readonly #switchesFile: string;
  readonly #fencesFile: string;
  readonly #hostsFile: string;
  readonly #leftFile: string;
  /** The user's own file, which `/mcp add` writes. */
  readonly userFile: string;

  constructor(places: ConfigPlaces) {
    this.#places = places;
    this.userFile = join(places.userData, "mcp.json");
    this.#approvedFile = join(places.userData, "mcp-allowed.json");
    this.#switchesFile = join(places.userData, "mcp-tools.json");
    this.#fencesFile = join(places.userData, "mcp-fences.json");
    this.#hostsFile = join(places.userData, "mcp-hosts.json");
    this.#leftFile = join(places.userData, "mcp-left.json");
  }

  /**
   * Never throws: what cannot be read is told as a problem by whoever reads the text.
   * @param folder whose own file counts, too; null: none
   */
  read(folder: string | null): ConfigText[] {
    const everywhere: ConfigText[] = [
      { source: "settings", where: "settings.json", content: { mcpServers: this.#places.settings() } },
      { source: "user", where: this.userFile, content: textOrError(this.userFile) },
    ];
    if (folder === null) return everywhere;
    const where = join(folder, projectFile);
    if (!this.#places.isTrusted?.(where)) return everywhere;
    return [...everywhere, { source: "project", where, folder, content: textOrError(where, folder) }];
  }

  /** Puts entries into the user's file; the rest of it stays as it is. @throws Error when the file is broken */
  add(entries: Readonly<Record<string, unknown>>): void {
    const { file, servers } = this.#userServers();
    this.#write({ ...file, mcpServers: { ...servers, ...entries } });
  }

  /** @throws Error when the file is broken */
  remove(name: string): void {
    const { file, servers } = this.#userServers();
    const { [name]: _, ...others } = servers;
    this.#write({ ...file, mcpServers: others });
  }

  /** Whether the user allowed what has this fingerprint. */
  isAllowed(fingerprint: string): boolean {
    return this.#approved().includes(fingerprint);
  }

  allow(fingerprint: string): void {
    const approved = new Set([...this.#approved(), fingerprint]);
    writeWhole(this.#approvedFile, JSON.stringify([...approved], null, 2));
  }

  /** Which tools of a server the user switched on or off; what is not there stays as its entry says. */
  toolSwitches(config: ServerConfig): Readonly<Record<string, boolean>> {
    return ownOf(this.#switches(), switchesOf(config)) ?? {};
  }

  switchTool(config: ServerConfig, tool: string, isOn: boolean): void {
    const all = this.#switches();
    const server = switchesOf(config);
    const next = { ...all, [server]: { ...ownOf(all, server), [tool]: isOn } };
    writeWhole(this.#switchesFile, JSON.stringify(next, null, 2));
  }

  /** Whether its program is to run in the fence: by the user's switch, or else by its entry. */
  wantsFence(config: ServerConfig): boolean {
    if (config.source === "project") return true;
    const switches = readOr({}, z.record(z.string(), z.boolean()), this.#fencesFile);
    return ownOf(switches, config.name) ?? config.entry.fence;
  }

  switchFence({ name }: ServerConfig, isOn: boolean): void {
    const all = readOr({}, z.record(z.string(), z.boolean()), this.#fencesFile);
    writeWhole(this.#fencesFile, JSON.stringify({ ...all, [name]: isOn }, null, 2));
  }

  /** Hosts that a fenced server may reach, as `host:port`. @param trust what the yes was for */
  hosts(trust: string): readonly string[] {
    return readOr({}, hostLists, this.#hostsFile)[trust] ?? [];
  }

  allowHost(trust: string, host: string): void {
    const all = readOr({}, hostLists, this.#hostsFile);
    const hosts = [...new Set([...(all[trust] ?? []), host])];
    writeWhole(this.#hostsFile, JSON.stringify({ ...all, [trust]: hosts }, null, 2));
  }

  /** Files that a server left and that were taken out, oldest first. */
  left(config: ServerConfig): readonly PutAsideFiles[] {
    return ownOf(readOr({}, leftLists, this.#leftFile), switchesOf(config)) ?? [];
  }

  keepLeft(config: ServerConfig, files: readonly PutAsideFiles[]): void {
    const all = readOr({}, leftLists, this.#leftFile);
    writeWhole(this.#leftFile, JSON.stringify({ ...all, [switchesOf(config)]: files }, null, 2));
  }

  #switches(): Readonly<Record<string, Readonly<Record<string, boolean>>>> {
    return readOr({}, z.record(z.string(), z.record(z.string(), z.boolean())), this.#switchesFile);
  }

  #approved(): string[] {
    // Unreadable: everything is asked for again.
    return readOr([], z.array(z.string()), this.#approvedFile);
  }

  #userServers(): { file: Record<string, unknown>; servers: Record<string, unknown> } {
    const text = textOf(this.userFile);
    const read = entriesOf({ content: text });
    if (typeof read === "string") throw new Error(`${this.userFile}: ${read} Correct it first.`);
    const file = text.trim() === "" ? {} : record.parse(JSON.parse(text));
    const { servers, ...rest } = file;
    if ("mcpServers" in file) return { file, servers: read.entries };
    return { file: servers === undefined ? {} : rest, servers: read.entries };
  }

  #write(file: Record<string, unknown>): void {
    writeWhole(this.userFile, `${JSON.stringify(file, null, 2)}\n`);
  }
}

const hostLists = z.record(z.string(), z.array(z.string()));

const leftLists = z.record(
  z.string(),
  z.array(
    z.object({ folder: z.string(), place: z.string(), paths: z.array(z.string()), detail: z.string() }),
  ),
);

function readOr<T>(otherwise: T, shape: z.ZodType<T>, file: string): T {
  try {
    return shape.parse(JSON.parse(textOf(file)));
  } catch {
    return otherwise;
  }
}

/** A name may be that of what every object has. */
export const ownOf = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Two folders may each have a server of one name. */
const switchesOf = ({ name, folder }: ServerConfig) => (folder === undefined ? name : `${name} in ${folder}`);

/** What somebody else put into a folder may be anything. */
function textOrError(file: string, within?: string): string | Error {
  const read = readSmallFile(file, { most: maxBytes.servers, ...(within !== undefined && { within }) });
  if (read.kind === "text") return read.text;
  return read.kind === "missing" ? "" : new Error(`it ${read.why}`);
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Entries may hold keys: nobody else reads the file. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
