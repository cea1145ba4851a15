import { readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf } from "../../files/calls.ts";
import { type LeftEntry, type Leftovers, markVariable, posixLeftovers } from "./leftovers.ts";
import { windowsLeftovers } from "./windows-leftovers.ts";

export interface GroupRecordOptions {
  /** Made when it is needed. Nobody else's: one running Parley a folder. */
  folder: string;
  newId(): string;
  log(message: string): void;
  /** Those of this system. */
  leftovers?: Leftovers;
}

/** A group's place in the record. */
export interface GroupEntry {
  /** Goes into the group's environment: what is left when its leader is gone is known by it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when it is on disk; never throws: there is a watcher as well. */
  write(pid: number): Promise<void>;
  /** The group has ended. Never throws. */
  remove(): Promise<void>;
}

const entryShape = z.object({
  pid: z.number().int().min(2),
  start: z.string().min(1),
  mark: z.string().min(1),
});
type Entry = z.infer<typeof entryShape>;

const suffix = ".json";
/** A name that no entry has: it is being written. */
const draftSuffix = ".draft";

/** The process groups under way, a file each. What outlived both us and its watcher is ended by the next start. */
export class GroupRecord {
  readonly #options: GroupRecordOptions;
  readonly #leftovers: Leftovers;
  #saidFailure = false;

  constructor(options: GroupRecordOptions) {
    this.#options = options;
    this.#leftovers =
      options.leftovers ?? (process.platform === "win32" ? windowsLeftovers() : posixLeftovers);
  }

  /** A place for a group that is about to be started. */
  entry(): GroupEntry {
    const since = Date.now();
    const mark = this.#options.newId();
    const path = join(this.#options.folder, `${mark}${suffix}`);
    let isWritten = false;
    let beat: NodeJS.Timeout | undefined;
    return {
      variables: { [markVariable]: mark },
      write: async (pid) => {
        isWritten = await this.#write(path, { pid, since, mark });
        if (isWritten) beat = this.#beat(path);
      },
      remove: async () => {
        clearInterval(beat);
        if (isWritten) await this.#remove(path);
      },
    };
  }

  /** A sign of life, where one is asked for. Missed once, it comes the next time. */
  #beat(path: string): NodeJS.Timeout | undefined {
    const { beatMs } = this.#leftovers;
    if (beatMs === undefined) return undefined;
    const give = () => utimes(path, new Date(), new Date()).catch(() => {});
    return setInterval(() => void give(), beatMs).unref();
  }

  /**
   * Ends what an earlier Parley left: the groups on record now, not those that come later. Never one that only has the
   * number of such a group.
   * @returns resolves when they have ended; never rejects
   */
  async reap(): Promise<void> {
    const names = this.#namesNow();
    const find = this.#leftovers.look();
    await Promise.all(names.map((name) => this.#reapOne(join(this.#options.folder, name), find)));
  }

  async #reapOne(path: string, find: ReturnType<Leftovers["look"]>): Promise<void> {
    if (!path.endsWith(suffix)) {
      // Its group was never let go.
      if (path.endsWith(draftSuffix)) await this.#remove(path);
      return;
    }
    try {
      const entry = await this.#read(path);
      const end = entry && (await find(entry));
      if (end) {
        this.#options.log(`Process ${entry.pid} was left by an earlier run of Parley: it is ended.`);
        // Tried again at the next start.
        if (!(await end())) return;
      }
    } catch (error) {
      this.#options.log(`${path} could not be followed up: ${String(error)}`);
    }
    await this.#remove(path);
  }

  async #write(
    path: string,
    { pid, since, mark }: { pid: number; since: number; mark: string },
  ): Promise<boolean> {
    try {
      const start = await this.#leftovers.startOf(pid, since);
      // It has ended before it was let go.
      if (start === undefined) return false;
      const entry: Entry = { pid, start, mark };
      const draft = `${path}${draftSuffix}`;
      await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
      // Not forced to the disk: a power cut ends the groups as well.
      await writeFile(draft, JSON.stringify(entry), { mode: 0o600 });
      await rename(draft, path);
      return true;
    } catch (error) {
      if (!this.#saidFailure) this.#options.log(`A process cannot be put on record: ${String(error)}`);
      this.#saidFailure = true;
      return false;
    }
  }

  /** @returns null when it is not one of ours, which is said */
  async #read(path: string): Promise<LeftEntry | null> {
    try {
      const entry = entryShape.parse(JSON.parse(await readFile(path, "utf8")));
      return { ...entry, aliveAt: (await stat(path)).mtimeMs };
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      this.#options.log(`${path} cannot be read and is dropped: ${why}`);
      return null;
    }
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { force: true }).catch((error: unknown) => {
      this.#options.log(`${path} cannot be removed: ${String(error)}`);
    });
  }

  #namesNow(): string[] {
    try {
      return readdirSync(this.#options.folder);
    } catch (error) {
      if (codeOf(error) !== "ENOENT")
        this.#options.log(`Processes on record cannot be read: ${String(error)}`);
      return [];
    }
  }
}
