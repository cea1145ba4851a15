import { readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf } from "./contained-path.ts";
import { endGroup } from "./end-group.ts";
import { livingMembers } from "./living-groups.ts";
import { processStart } from "./process-start.ts";

export interface GroupRecordOptions {
  /** Made when it is needed. Nobody else's: one running Parley a folder. */
  folder: string;
  newId(): string;
  log(message: string): void;
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
const markVariable = "PARLEY_GROUP";

/**
 * The process groups under way, a file each. What outlived both us and its watcher is ended by the next start. Nothing
 * is put on record on Windows.
 */
export class GroupRecord {
  readonly #options: GroupRecordOptions;
  #saidFailure = false;

  constructor(options: GroupRecordOptions) {
    this.#options = options;
  }

  /** A place for a group that is about to be started. */
  entry(): GroupEntry {
    const mark = this.#options.newId();
    const path = join(this.#options.folder, `${mark}${suffix}`);
    let isWritten = false;
    return {
      variables: { [markVariable]: mark },
      write: async (pid) => {
        isWritten = await this.#write(path, pid, mark);
      },
      remove: async () => {
        if (isWritten) await this.#remove(path);
      },
    };
  }

  /**
   * Ends what an earlier Parley left: the groups on record now, not those that come later. Never one that only has the
   * number of such a group.
   * @returns resolves when they have ended; never rejects
   */
  async reap(): Promise<void> {
    const names = this.#namesNow();
    await Promise.all(names.map((name) => this.#reapOne(join(this.#options.folder, name))));
  }

  async #reapOne(path: string): Promise<void> {
    if (!path.endsWith(suffix)) {
      // Its group was never let go.
      if (path.endsWith(draftSuffix)) await this.#remove(path);
      return;
    }
    try {
      const entry = await this.#read(path);
      if (entry && (await isOurs(entry))) {
        this.#options.log(`Process ${entry.pid} was left by an earlier run of Parley: it is ended.`);
        // Tried again at the next start.
        if (!(await endGroup(entry.pid))) return;
      }
    } catch (error) {
      this.#options.log(`${path} could not be followed up: ${String(error)}`);
    }
    await this.#remove(path);
  }

  async #write(path: string, pid: number, mark: string): Promise<boolean> {
    try {
      const start = await processStart(pid);
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
  async #read(path: string): Promise<Entry | null> {
    try {
      return entryShape.parse(JSON.parse(await readFile(path, "utf8")));
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

/**
 * By the start of its leader. While anybody of a session lives, the system gives its number to nobody else; but when all
 * had ended, another session may have got it and lost its leader, too: then the mark decides, where it can be read: on
 * Linux.
 */
async function isOurs({ pid, start, mark }: Entry): Promise<boolean> {
  const now = await processStart(pid);
  if (now !== undefined) return now === start;
  const members = (await livingMembers(pid)) ?? [];
  const marked = await Promise.all(members.map((member) => carries(member.pid, mark)));
  return marked.includes(true);
}

async function carries(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return environment.split("\0").includes(`${markVariable}=${mark}`);
}
