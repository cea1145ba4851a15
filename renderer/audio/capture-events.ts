import type { SpokenOver } from "../../shared/voice/stt.ts";

/** `pcm` as in `CaptureEvents`; `isFirst`: of a reply, of its kind; `isNear`: it holds more than what is left of an echo. */
export interface OverFrame {
  of: SpokenOver;
  pcm: Int16Array<ArrayBuffer>;
  isFirst: boolean;
  isNear: boolean;
}

export interface CaptureEvents {
  /**
   * `pcm`: 512 samples, 16-bit, 16 kHz, mono; `sampleIndex` counts from the stream's first sample. `isSilent`: as in `audioReply`.
   */
  onFrame(frame: { sampleIndex: number; pcm: Int16Array<ArrayBuffer>; isSilent?: boolean }): void;
  /** The system has muted the device, or no more. */
  onMuted?(isMuted: boolean): void;
  /** The microphone, or what is played, while Parley speaks: beside the frames, for words to stop. */
  onOver?(over: OverFrame): void;
  /** The device went away (unplugged, taken by the system). No more frames follow. */
  onLost(): void;
}
