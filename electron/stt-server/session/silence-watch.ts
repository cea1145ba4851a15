import { isUnderFloor } from "../../../shared/voice/sound-floor.ts";
import { sampleRateHz, sttInfo } from "../../../shared/voice/stt.ts";
import type { AudioFrame } from "../audio/audio-source.ts";
import type { Clock } from "../clock.ts";
import { watchedFrames } from "./frame-repair.ts";
import type { SessionLog } from "./session-log.ts";

/** A microphone that gives nothing for so long is told of, in milliseconds. */
export const silenceMs = 10_000;
/**
 * The same where silence may be a good microphone's: one that was heard before, since headsets give zeros between words; and
 * one that is known only as the browser changes it.
 */
export const longSilenceMs = 60_000;

export interface SilenceWatchOptions {
  clock: Clock;
  log: Pick<SessionLog, "append">;
  /** Whether the system has muted the device; null where nobody knows. */
  isMuted(): Promise<boolean | null>;
  /** Its samples are as the browser changed them, not as the microphone gave them. */
  isProcessed: boolean;
}

/**
 * Tells when nothing comes from a microphone: no frames, zeros, or less than its own noise; and when there is sound again.
 * Time is that of the samples.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #silentMs = 0;
  #hasHeard = false;
  #isTold = false;
  /** Counts up when there is sound, or another device: what was asked before counts no more. */
  #stretch = 0;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Another device is heard, of which nothing is known. */
  restart(): void {
    this.#hasHeard = false;
    this.#isTold = false;
    this.#begin();
  }

  watched(frames: AsyncIterable<AudioFrame>): AsyncIterable<AudioFrame> {
    const onFlow = (flows: boolean) => {
      if (!flows) void this.#check(true);
    };
    return watchedFrames(this.#heard(frames), this.#options.clock, onFlow, silenceMs);
  }

  async *#heard(frames: AsyncIterable<AudioFrame>): AsyncGenerator<AudioFrame> {
    for await (const frame of frames) {
      this.#hear(frame);
      yield frame;
    }
  }

  #hear({ pcm, isSilent }: AudioFrame): void {
    if (!(isSilent ?? isUnderFloor(pcm))) {
      this.#hasHeard = true;
      if (this.#isTold) this.#options.log.append({ type: "info", message: sttInfo.sound });
      this.#isTold = false;
      this.#begin();
      return;
    }
    const before = this.#silentMs;
    this.#silentMs += (pcm.length * 1000) / sampleRateHz;
    if (Math.floor(before / silenceMs) === Math.floor(this.#silentMs / silenceMs)) return;
    const isDoubtful = this.#hasHeard || (this.#options.isProcessed && isSilent === undefined);
    void this.#check(!isDoubtful || this.#silentMs >= longSilenceMs);
  }

  #begin(): void {
    this.#silentMs = 0;
    this.#stretch += 1;
  }

  /** @param isSure it is told of whether the system has muted the device or not */
  async #check(isSure: boolean): Promise<void> {
    if (this.#isTold) return;
    const stretch = this.#stretch;
    const isMuted = (await this.#options.isMuted().catch(() => null)) ?? false;
    if (this.#isTold || stretch !== this.#stretch || !(isSure || isMuted)) return;
    this.#isTold = true;
    this.#options.log.append({ type: "info", message: sttInfo.noSound, payload: { system_muted: isMuted } });
  }
}
