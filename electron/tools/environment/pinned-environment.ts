import type { ExecOptions, ExecutionEnvironment, GrepOptions } from "../../agent/ports/ports.ts";
import type { LocalFiles } from "./local-files.ts";

/** Another environment for one call, with files of its own. */
export class PinnedEnvironment implements ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
  readonly osVersion: string;
  readonly #inner: ExecutionEnvironment;
  readonly #files: LocalFiles;

  /** @param inner belongs to its owner: `cleanup` here leaves it as it is @param files of the same folder */
  constructor(inner: ExecutionEnvironment, files: LocalFiles) {
    this.workingDirectory = inner.workingDirectory;
    this.platform = inner.platform;
    this.osVersion = inner.osVersion;
    this.#inner = inner;
    this.#files = files;
  }

  leadsTo = (path: string) => this.#files.leadsTo(path);
  ownName = (...named: Parameters<ExecutionEnvironment["ownName"]>) => this.#inner.ownName(...named);

  execCommand = (command: string, options: ExecOptions) => this.#inner.execCommand(command, options);
  grep = (options: GrepOptions) => this.#inner.grep(options);
  glob = (options: Parameters<ExecutionEnvironment["glob"]>[0]) => this.#inner.glob(options);

  readFile = (path: string, options: { maxBytes: number; links?: "refuse" }) =>
    this.#files.read(path, options);
  writeFile = (path: string, bytes: Uint8Array) => this.#files.write(path, bytes);
  fileExists = (path: string) => this.#files.exists(path);
  deleteFile = (path: string) => this.#files.remove(path);
  moveFile = (from: string, to: string) => this.#files.move(from, to);
  stat = (path: string) => this.#files.stat(path);
  listDirectory = (path: string) => this.#files.list(path);

  async cleanup(): Promise<void> {}
}
