import { mkdir, open, readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type DirectoryEntry, EnvironmentError, type ExecutionEnvironment } from "../agent/ports.ts";

/**
 * Opens a folder of this computer for tools. `~` is the home folder; a folder that is not there yet is made.
 * @throws EnvironmentError when it cannot be made or opened, or is a file
 */
export async function openLocalEnvironment(
  folder: string,
  home = homedir(),
): Promise<LocalExecutionEnvironment> {
  const path = resolve(expandHome(folder, home));
  try {
    await mkdir(path, { recursive: true });
    return new LocalExecutionEnvironment(await realpath(path), home);
  } catch (error) {
    throw explained(error, folder);
  }
}

/** Files below one folder, on this computer. Every path is checked where it really leads, symbolic links followed. */
export class LocalExecutionEnvironment implements ExecutionEnvironment {
  readonly workingDirectory: string;
  readonly platform = process.platform;
  readonly #home: string;

  /** @param workingDirectory absolute, and free of symbolic links */
  constructor(workingDirectory: string, home: string) {
    this.workingDirectory = workingDirectory;
    this.#home = home;
  }

  async readFile(
    path: string,
    { maxBytes }: { maxBytes: number },
  ): Promise<{ bytes: Uint8Array; totalBytes: number }> {
    const target = await this.#contained(path);
    try {
      // Looked at before it is opened: to open a pipe would wait for whoever writes to it.
      const info = await stat(target);
      if (info.isDirectory()) throw new EnvironmentError(`${path} is a folder, not a file.`);
      if (!info.isFile()) throw new EnvironmentError(`${path} is not a regular file.`);
      return { bytes: await readStart(target, Math.min(info.size, maxBytes)), totalBytes: info.size };
    } catch (error) {
      throw explained(error, path);
    }
  }

  async listDirectory(path: string): Promise<DirectoryEntry[]> {
    const target = await this.#contained(path);
    try {
      const entries = await readdir(target, { withFileTypes: true });
      return await Promise.all(
        entries.map(async (entry): Promise<DirectoryEntry> => {
          const { name } = entry;
          if (entry.isDirectory()) return { name, kind: "directory" };
          if (entry.isSymbolicLink()) return { name, kind: "symlink" };
          if (!entry.isFile()) return { name, kind: "other" };
          const size = await stat(join(target, name)).then(
            (s) => s.size,
            () => undefined,
          );
          return { name, kind: "file", ...(size !== undefined && { size }) };
        }),
      );
    } catch (error) {
      throw explained(error, path);
    }
  }

  /** @returns where `path` really leads. @throws EnvironmentError when that is outside, or nothing is there */
  async #contained(path: string): Promise<string> {
    if (path.includes("\0")) throw new EnvironmentError("A path cannot contain a NUL character.");
    const target = resolve(this.workingDirectory, expandHome(path, this.#home));
    const real = await realpath(target).catch((error: unknown) => {
      // What is outside gets one answer, whether it exists or not.
      throw this.#isInside(target) ? explained(error, path) : outside(path, this.workingDirectory);
    });
    if (!this.#isInside(real)) throw outside(path, this.workingDirectory);
    return real;
  }

  #isInside(target: string): boolean {
    const way = relative(this.workingDirectory, target);
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

const outside = (path: string, folder: string) =>
  new EnvironmentError(`${path} is outside the working folder ${folder}, and out of reach.`);

/** `~` and `~/…` as the home folder; anything else as it is. */
export function expandHome(path: string, home = homedir()): string {
  if (path === "~") return home;
  return path.startsWith("~/") || path.startsWith(`~${sep}`) ? join(home, path.slice(2)) : path;
}

async function readStart(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await file.read(bytes, done, length - done, done);
      // It became shorter meanwhile.
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

function explained(error: unknown, path: string): EnvironmentError {
  if (error instanceof EnvironmentError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = words[code] ?? (error instanceof Error ? error.message : String(error));
  return new EnvironmentError(`${path}: ${message}`, { cause: error });
}

const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder.",
  ENOTDIR: "that is not a folder.",
  EISDIR: "that is a folder, not a file.",
  EEXIST: "that is a file, not a folder.",
  EACCES: "access is not permitted.",
  EPERM: "access is not permitted.",
  ELOOP: "its symbolic links go in a circle.",
  ENAMETOOLONG: "the name is too long.",
};
