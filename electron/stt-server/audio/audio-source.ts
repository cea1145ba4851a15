import type { SpokenOver } from "../../../shared/voice/stt.ts";

/**
 * Where a session's audio comes from. `open`, then read `frames` once, then `close`; `close` may come at any time
 * and more than once.
 */
export interface AudioSource {
  /** Its loudness was set already: by the browser, for a microphone. */
  readonly hasGainControl?: boolean;
  /** Its sound is of a recording: it waits where the computer is too slow to hear all of it. */
  readonly canWait?: boolean;
  /** @throws SttError when there is nothing to hear; the signal's reason when aborted */
  open(signal: AbortSignal): Promise<OpenedSource>;
  /**
   * 16 kHz mono audio in frames of about 32 ms. Ends when everything was played or, with what was heard until then,
   * after `close`. Throws an SttError when the source breaks.
   */
  frames(): AsyncIterable<AudioFrame>;
  close(): Promise<void>;
  /** Whether the system has muted the device; null where nobody knows. */
  isMuted?(): Promise<boolean | null>;
  /** Set by whoever reads the frames: given what is heard beside them while Parley speaks, where the source knows that. */
  onOver?: (frame: OverFrame) => void;
  /** Set by whoever reads the frames: told when the source goes on with another device. */
  onNotice?: (notice: SourceNotice) => void;
}

/** A frame of a microphone, or of what is played. `isFirst`: what came before does not go on in it; `isNear`: it holds more than what is left of an echo. */
export interface OverFrame {
  of: SpokenOver;
  pcm: Int16Array;
  isFirst: boolean;
  isNear: boolean;
}

/**
 * The source listens to another device now; `isFallback` when it is not the one that was asked for. `goesOn`: nothing was
 * lost in between.
 */
export interface SourceNotice {
  message: string;
  deviceId: string | null;
  deviceName: string | null;
  isFallback: boolean;
  goesOn?: boolean;
}

/** The device, null where the source is none. */
export interface OpenedSource {
  deviceId: string | null;
  deviceName: string | null;
}

export interface AudioFrame {
  /** Samples since the source was opened; a jump means lost audio. */
  sampleIndex: number;
  pcm: Int16Array;
  /** Whether the device itself gives less than its own noise; left out where only the samples tell. */
  isSilent?: boolean | undefined;
}
