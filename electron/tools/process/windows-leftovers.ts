import type { LeftEntry, Leftovers } from "./leftovers.ts";
import {
  killTree,
  processTable,
  type RunProgram,
  runProgram,
  type WindowsProcess,
} from "./windows-programs.ts";

/**
 * Windows itself ends what we started when we die (libuv puts it into a job that closes with us), but not what that had
 * started in turn: those are what is left, known by who started them and when. To ask for a start takes half a second,
 * so it is put down by our own clock, and only the next start asks. What lost the one between us and it stays.
 */
export function windowsLeftovers(run: RunProgram = runProgram): Leftovers {
  return {
    beatMs,
    startOf: async (_, since) => `${since} ${Date.now()}`,
    look: () => {
      let table: Promise<WindowsProcess[]> | undefined;
      return async (entry) => {
        table ??= processTable(run);
        const roots = rootsLeft(await table, entry);
        return roots.length === 0 ? null : () => endAll(run, roots);
      };
    },
  };
}

const beatMs = 10_000;
/** How far two readings of the clock of one computer may lie apart, in milliseconds. */
const clockMs = 2000;

/** The program itself, or, when it is gone, those that it had started. */
function rootsLeft(table: readonly WindowsProcess[], { pid, start, aliveAt }: LeftEntry): number[] {
  const [since = Number.NaN, until = Number.NaN] = start.split(" ").map(Number);
  const holder = table.find((one) => one.pid === pid);
  if (holder && isBetween(holder.startedAt, since, until)) return [pid];
  // It ended with us at the latest. Whoever has had its number since may have started others.
  const children = table.filter(
    ({ parent, startedAt }) => parent === pid && isBetween(startedAt, since, aliveAt + beatMs),
  );
  return children.filter(({ startedAt }) => !holder || startedAt < holder.startedAt).map((one) => one.pid);
}

const isBetween = (at: number, from: number, to: number) => at >= from - clockMs && at <= to + clockMs;

async function endAll(run: RunProgram, roots: readonly number[]): Promise<boolean> {
  const ended = await Promise.all(roots.map((root) => killTree(run, root, true)));
  return !ended.includes(false);
}
