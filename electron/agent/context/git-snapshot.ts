import type { Settings } from "../../../shared/settings.ts";
import { headOf } from "../loop/text-ends.ts";
import type { Clock, ExecutionEnvironment, Fence } from "../ports/ports.ts";

/** What git says of a folder. */
export interface GitSnapshot {
  /** Changed, added, deleted and untracked. */
  changedFiles: number;
  /** The latest, newest first: short hash and subject. Written by anybody. */
  commits: string[];
}

const maxCommits = 5;
/** UTF-16 units. */
const maxSubject = 100;
/** Milliseconds that git may take. */
const timeoutMs = 5000;

const options = "--no-pager -c core.fsmonitor=false -c core.quotePath=true -c log.showSignature=false";
const command = [
  "exec 2>/dev/null",
  `git ${options} status --porcelain=v1 --no-renames --ignore-submodules=all`,
  "echo",
  `git ${options} log --max-count=${maxCommits} --format='%h %s' --no-color`,
].join(" && ");

/**
 * Asks git, in a fence that writes nowhere and reaches no network: what stands in a repository may name programs that git
 * runs. Without a fence git is not run.
 * @returns null where there is nothing to be known: no repository, none of its own, no commit yet, too slow
 */
export async function gitSnapshot(
  environment: ExecutionEnvironment,
  fence: Fence,
  { environmentPolicy }: Pick<Settings, "environmentPolicy">,
): Promise<GitSnapshot | null> {
  try {
    // A repository above the folder is not seen in the fence.
    if (!(await environment.fileExists(".git"))) return null;
    const { output, exitCode } = await environment.execCommand(command, {
      timeoutMs,
      signal: AbortSignal.timeout(2 * timeoutMs),
      environmentPolicy,
      variables: { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
      fence: { fence, confinement: "look", denied: undefined, readOnly: [], askHost: undefined },
    });
    return exitCode === 0 ? parsed(output) : null;
  } catch {
    return null;
  }
}

/** The lines of `status` hold no empty one. */
function parsed(output: string): GitSnapshot {
  const lines = output.split("\n");
  const gap = lines.indexOf("");
  const commits = lines.slice(gap + 1).filter((line) => line.trim() !== "");
  return {
    changedFiles: gap,
    commits: commits.slice(0, maxCommits).map((line) => headOf(line.replaceAll(/\p{Cc}/gu, " "), maxSubject)),
  };
}

/** Milliseconds that a prompt waits for git. */
const patienceMs = 300;

/**
 * The snapshot of a conversation: taken once in each folder that it works in, so that the system prompt stays the same and
 * with it what the provider keeps of it.
 */
export class GitSnapshots {
  readonly #byFolder = new Map<string, Promise<GitSnapshot | null>>();

  /**
   * @param isUrgent the prompt was spoken: it waits for nothing
   * @returns null also where it is not there yet: the next run has it
   */
  async of(
    folder: string,
    take: () => Promise<GitSnapshot | null>,
    { clock, isUrgent }: { clock: Pick<Clock, "sleep">; isUrgent: boolean },
  ): Promise<GitSnapshot | null> {
    const taken = this.#byFolder.get(folder) ?? take();
    this.#byFolder.set(folder, taken);
    const enough = new AbortController();
    const late = isUrgent ? Promise.resolve(null) : clock.sleep(patienceMs, enough.signal).then(() => null);
    try {
      // Taken before, it wins: what is settled first counts.
      return await Promise.race([taken, late]);
    } finally {
      late.catch(() => {});
      enough.abort();
    }
  }
}
