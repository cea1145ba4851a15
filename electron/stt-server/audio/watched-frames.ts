import type { Clock } from "../clock.ts";
import type { AudioFrame } from "./audio-source.ts";

/** Frames come every 32 ms: so long without one, and nothing is heard that anybody could see as listening. */
export const stalledMs = 1500;

/**
 * The frames as they come, and word of when none does for `stalledMs`, though the source is open, and when they come
 * again. Time that the reader takes for itself does not count.
 */
export async function* watchedFrames(
  frames: AsyncIterable<AudioFrame>,
  clock: Clock,
  onFlow: (flows: boolean) => void,
): AsyncGenerator<AudioFrame> {
  let isStalled = false;
  const source = frames[Symbol.asyncIterator]();
  try {
    while (true) {
      const come = new AbortController();
      clock.sleep(stalledMs, come.signal).then(
        () => {
          isStalled = true;
          onFlow(false);
        },
        () => undefined,
      );
      let next: IteratorResult<AudioFrame>;
      try {
        next = await source.next();
      } finally {
        come.abort();
      }
      if (next.done) return;
      if (isStalled) onFlow(true);
      isStalled = false;
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}
