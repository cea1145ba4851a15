import {
  type DirectoryEntry,
  EnvironmentError,
  type ExecResult,
  type ExecutionEnvironment,
  type FileStat,
  type GrepOptions,
} from "../../agent/ports/ports.ts";

/** Another environment to look at and not to touch. Commands are refused, too: nobody can know what one does. */
export class ReadOnlyEnvironment implements ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
  readonly #inner: ExecutionEnvironment;

  /** @param inner belongs to its owner: `cleanup` here leaves it as it is */
  constructor(inner: ExecutionEnvironment) {
    this.#inner = inner;
    this.workingDirectory = inner.workingDirectory;
    this.platform = inner.platform;
  }

  async initialize(): Promise<void> {
    await this.#inner.initialize();
  }

  async readFile(
    path: string,
    options: { maxBytes: number; links?: "refuse" },
  ): Promise<{ bytes: Uint8Array; totalBytes: number }> {
    return await this.#inner.readFile(path, options);
  }

  async writeFile(path: string): Promise<void> {
    throw refused(`${path} cannot be written`);
  }

  async fileExists(path: string): Promise<boolean> {
    return await this.#inner.fileExists(path);
  }

  async deleteFile(path: string): Promise<void> {
    throw refused(`${path} cannot be deleted`);
  }

  async moveFile(from: string): Promise<void> {
    throw refused(`${from} cannot be moved`);
  }

  async stat(path: string): Promise<FileStat> {
    return await this.#inner.stat(path);
  }

  async listDirectory(path: string): Promise<DirectoryEntry[]> {
    return await this.#inner.listDirectory(path);
  }

  async execCommand(): Promise<ExecResult> {
    throw refused("commands cannot run");
  }

  async grep(options: GrepOptions): Promise<{ lines: string[]; truncated: boolean }> {
    return await this.#inner.grep(options);
  }

  async glob(options: {
    pattern: string;
    path?: string | undefined;
    limit: number;
    signal: AbortSignal;
  }): Promise<{ paths: string[]; truncated: boolean }> {
    return await this.#inner.glob(options);
  }

  async pinned(paths: readonly string[]): Promise<ExecutionEnvironment> {
    return new ReadOnlyEnvironment((await this.#inner.pinned?.(paths)) ?? this.#inner);
  }

  leadsTo(path: string): string | undefined {
    return this.#inner.leadsTo?.(path);
  }

  async cleanup(): Promise<void> {}
}

const refused = (what: string) => new EnvironmentError(`${what}: this folder is open for reading only.`);
