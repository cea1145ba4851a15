import { sampleRateHz, sttInfo } from "../../../shared/voice/stt.ts";
import type { AudioFrame } from "../audio/audio-source.ts";
import { SampleClock } from "../audio/sample-clock.ts";
import type { Clock } from "../clock.ts";
import type { SessionLog } from "./session-log.ts";
import type { SoundPiece } from "./sound-piece.ts";

/** Lost audio up to this long is heard as silence; of a longer gap only the clock takes note. */
const maxFilledGapMs = 5000;
/** No frame for so long, though none is missing: the whole machine stood still. */
const sleptMs = 5000;

export interface FrameRepairOptions {
  /** Live sound keeps pace with the time; that of a file does not. */
  isLive: boolean;
  clock: Clock;
  /** Where the session's clock stands, in milliseconds: at the end of all that was handed on. */
  nowMs(): number;
  log: Pick<SessionLog, "append">;
  /** The first frame has come. */
  onRunning(): void;
}

/** Makes one sound without holes of the frames that come: fills gaps, and tells of what was lost and of what stalls. */
export class FrameRepair {
  readonly #options: FrameRepairOptions;
  /** null where the samples keep no pace with the time: of a file, and before the first one. */
  #sampleClock: SampleClock | null = null;
  #isRunning = false;
  /** Whether the next gap in the sound has been told of already. */
  #isGapReported = false;

  constructor(options: FrameRepairOptions) {
    this.#options = options;
  }

  /** The gap to come is known, and was told of. */
  expectGap(): void {
    this.#isGapReported = true;
  }

  /** When sample 0 was heard, milliseconds since the epoch, where it is another time than was told last. */
  timeNews(): number | null {
    return this.#sampleClock?.news() ?? null;
  }

  async *repaired(frames: AsyncIterable<AudioFrame>): AsyncGenerator<SoundPiece, void> {
    const { clock, isLive } = this.#options;
    let expected = 0;
    let lastAt = clock.now();
    for await (const frame of isLive ? this.#watched(frames) : frames) {
      if (!this.#isRunning) this.#begin(frame);
      // Sound that is known to be missing explains as much of the wait.
      const missingMs = toMs(Math.max(0, frame.sampleIndex - expected));
      const quietMs = clock.now() - lastAt - missingMs;
      if (isLive && expected > 0 && quietMs > sleptMs) yield* this.#wokenUp(quietMs);
      if (frame.sampleIndex > expected) yield* this.#bridge(frame.sampleIndex - expected);
      expected = frame.sampleIndex + frame.pcm.length;
      this.#sampleClock?.arrived(toMs(expected), clock.now());
      yield { type: "sound", pcm: frame.pcm };
      // After the work: a slow recogniser is no sleep.
      lastAt = clock.now();
    }
  }

  /** Of what is heard live, also word of when nothing comes. */
  #watched(frames: AsyncIterable<AudioFrame>): AsyncIterable<AudioFrame> {
    return watchedFrames(frames, this.#options.clock, (flows) => {
      // Before the first frame nobody believes that it listens.
      if (!this.#isRunning) return;
      this.#options.log.append({ type: "info", message: flows ? sttInfo.audioFlows : sttInfo.audioStalled });
    });
  }

  #begin(frame: AudioFrame): void {
    this.#isRunning = true;
    this.#options.onRunning();
    this.#tellStart(Math.round(this.#options.clock.now() - toMs(frame.pcm.length)));
  }

  /** @param epochMs when sample 0 was heard */
  #tellStart(epochMs: number): void {
    if (this.#options.isLive) this.#sampleClock = new SampleClock(epochMs);
    this.#options.log.append({ type: "info", message: sttInfo.audioStarted, payload: { epoch_ms: epochMs } });
  }

  /** The computer slept, or the sound stood still: what was being said is over, and the clock is set anew. */
  *#wokenUp(quietMs: number): Generator<SoundPiece, void> {
    const { clock, nowMs, log } = this.#options;
    yield { type: "end", reason: "utterance_end" };
    log.append({
      type: "warning",
      message: `Nothing came from the device for ${Math.round(quietMs / 1000)} s. The computer may have been asleep. Parley is listening again.`,
      payload: { lost_ms: Math.round(quietMs) },
    });
    this.#tellStart(Math.round(clock.now() - nowMs()));
  }

  *#bridge(samples: number): Generator<SoundPiece, void> {
    const { nowMs, log } = this.#options;
    const lostMs = Math.round(toMs(samples));
    const isTold = this.#isGapReported;
    this.#isGapReported = false;
    if (!isTold) {
      log.append({
        type: "warning",
        message: `${lostMs} ms of audio were lost, perhaps because the computer is too busy. Words may be missing.`,
        payload: { lost_ms: lostMs },
      });
    }
    const before = nowMs();
    yield { type: "silence", ms: Math.min(lostMs, maxFilledGapMs) };
    const rest = samples - Math.round(((nowMs() - before) * sampleRateHz) / 1000);
    if (rest <= 0) return;
    // Nobody goes on with a sentence after that; the clock does.
    yield { type: "end", reason: "utterance_end" };
    yield { type: "skip", samples: rest };
  }
}

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;

/** Frames come every 32 ms: so long without one, and nothing is heard that anybody could see as listening. */
export const stalledMs = 1500;

/**
 * The frames as they come, and word of when none does for `afterMs`, though the source is open, and when they come
 * again. Time that the reader takes for itself does not count.
 */
export async function* watchedFrames(
  frames: AsyncIterable<AudioFrame>,
  clock: Clock,
  onFlow: (flows: boolean) => void,
  afterMs = stalledMs,
): AsyncGenerator<AudioFrame> {
  let isStalled = false;
  const source = frames[Symbol.asyncIterator]();
  try {
    while (true) {
      const come = new AbortController();
      clock.sleep(afterMs, come.signal).then(
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
