import { readFile } from "node:fs/promises";
import { processStart } from "../../../shared/process-start.ts";
import { endGroup } from "./end-group.ts";
import { livingMembers } from "./living-groups.ts";

/** What is known of a program that an earlier Parley started. */
export interface LeftEntry {
  pid: number;
  /** As `startOf` gave it. */
  start: string;
  /** In its environment under `markVariable`. */
  mark: string;
  /** The last sign of life that Parley gave, in milliseconds since the epoch. */
  aliveAt: number;
}

/** How a system tells what an earlier Parley left from others that only have its number, and ends it. */
export interface Leftovers {
  /** How often Parley gives a sign of life while something runs; undefined: it is not asked for. */
  readonly beatMs?: number;
  /**
   * When a program was started, to be compared later.
   * @param since milliseconds since the epoch: just before it was started
   * @returns undefined: it has ended
   */
  startOf(pid: number, since: number): Promise<string | undefined>;
  /**
   * A look at what runs now, for any number of entries.
   * @returns gives what ends all that is left of an entry, and null where nothing is. What it gives resolves to false
   *   when somebody is there even so
   */
  look(): (entry: LeftEntry) => Promise<(() => Promise<boolean>) | null>;
}

export const markVariable = "PARLEY_GROUP";

export const posixLeftovers: Leftovers = {
  startOf: processStart,
  look: () => async (entry) => ((await isOurs(entry)) ? () => endGroup(entry.pid) : null),
};

/**
 * By the start of its leader. While anybody of a session lives, the system gives its number to nobody else; but when all
 * had ended, another session may have got it and lost its leader, too: then the mark decides, where it can be read: on
 * Linux.
 */
async function isOurs({ pid, start, mark }: LeftEntry): Promise<boolean> {
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
