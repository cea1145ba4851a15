import type { JobContext } from "./job.ts";

const stepMs = 4;

/**
 * Does its work for each of `rows`, in transactions short enough for the main process to wait for, with a pause between two.
 */
export async function inShortSteps<T>(
  { database, breathe }: JobContext,
  rows: readonly T[],
  work: (row: T) => void,
): Promise<void> {
  for (let next = 0; next < rows.length; ) {
    const end = performance.now() + stepMs;
    database().transaction(() => {
      while (next < rows.length && performance.now() < end) {
        const row = rows[next++];
        if (row !== undefined) work(row);
      }
    });
    await breathe();
  }
}
