import { resolve } from "node:path";
import PQueue from "p-queue";

export interface Job<T> {
  /** Files that it touches, relative to the folder or absolute. */
  paths: readonly string[];
  run(): Promise<T>;
}

/**
 * Runs jobs, at most `atOnce` together; those that share a path one after the other, in their order. A job that waits
 * for another takes nobody's place.
 * @param folder what relative paths are relative to
 * @returns the results in the order of the jobs
 */
export async function schedule<T>(jobs: readonly Job<T>[], atOnce: number, folder: string): Promise<T[]> {
  // Nearly always: no queue for that.
  const [only] = jobs;
  if (only && jobs.length === 1) return [await only.run()];
  const queue = new PQueue({ concurrency: atOnce });
  const lastOn = new Map<string, Promise<unknown>>();
  const results = jobs.map(({ paths, run }) => {
    const targets = paths.map((path) => resolve(folder, path));
    const before = targets.flatMap((target) => lastOn.get(target) ?? []);
    const start = () => queue.add(run);
    // One at a time is in order by itself; to wait outside the queue would let later ones overtake.
    const result = before.length === 0 || atOnce === 1 ? start() : Promise.allSettled(before).then(start);
    for (const target of targets) lastOn.set(target, result);
    return result;
  });
  return await Promise.all(results);
}
