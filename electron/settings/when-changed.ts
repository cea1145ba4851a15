import { statSync } from "node:fs";

/**
 * What `read` makes of a file, made anew only after the file changed: asking costs one look at its times, so it may be
 * asked at every turn. A change that somebody else made counts like one of ours.
 * @param read what it throws is thrown to who asked, and tried again at the next question
 */
export function whenChanged<T>(path: string, read: () => T): () => T {
  let last: { stamp: string; value: T } | undefined;
  return () => {
    // Taken before it is read: what changes in between shows at the next question.
    const stamp = stampOf(path);
    if (last && last.stamp === stamp) return last.value;
    const value = read();
    last = stamp === null ? undefined : { stamp, value };
    return value;
  };
}

/** The coarsest step of a file system's clock: two changes within it can bear the same time. */
const stepMs = 2000;

/** What differs when the file does; null while a further change could go unseen. */
function stampOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return "absent";
  if (Date.now() - Number(stats.mtimeMs) < stepMs) return null;
  return `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
