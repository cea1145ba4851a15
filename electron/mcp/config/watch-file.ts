import { existsSync, watch } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "../../agent/ports/ports.ts";

export interface WatchFileOptions {
  folder: string;
  name: string;
  clock: Pick<Clock, "after">;
  /** It changed, came or went, and has been quiet since for a moment. */
  onChange(): void;
  /** Changes are not told any more. */
  onEnd(why: string): void;
}

/** Milliseconds: who saves a file may touch it several times. */
const quietMs = 150;

/**
 * Tells when a file changes. Its folder is watched: editors put a new file in its place, and it need not be there. What
 * another computer does in a network folder may go unseen, and so may a file that a link leads to.
 * @returns ends it; null where nothing is told: `onEnd` was
 */
export function watchFile({ folder, name, clock, onChange, onEnd }: WatchFileOptions): (() => void) | null {
  let callOff = () => {};
  try {
    const watcher = watch(folder, { persistent: false }, (_, changed) => {
      if (changed === basename(folder) && !existsSync(folder)) fail("the folder is gone");
      // Some systems do not say which file it was.
      if (changed !== null && changed !== name) return;
      callOff();
      callOff = clock.after(quietMs, onChange);
    });
    const fail = (why: string) => {
      watcher.close();
      onEnd(why);
    };
    watcher.on("error", (error) => fail(error.message));
    return () => {
      callOff();
      watcher.close();
    };
  } catch (error) {
    onEnd(error instanceof Error ? error.message : String(error));
    return null;
  }
}
