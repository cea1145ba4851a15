import type { SpokenOver } from "../../../shared/voice/stt.ts";

/** 512 samples, 16-bit, 16 kHz, mono. */
export type Frame = Int16Array<ArrayBuffer>;

/**
 * What the audio page tells the echo worker. `at`: when the last sample was there, by the page's clock, in milliseconds.
 * A microphone is heard twice: behind echo cancellation (`aec`), and as it sounds (`raw`).
 */
export type ToEchoWorker =
  | { type: "played"; samples: Float32Array<ArrayBuffer>; at: number }
  | { type: "playing"; isPlaying: boolean }
  | { type: "paused"; isPaused: boolean }
  /** `device`: the same one again sounds as it did before. */
  | { type: "open"; microphone: number; device: string }
  /** Microphones or loudspeakers came or went. */
  | { type: "devices_changed" }
  | { type: "aec"; microphone: number; pcm: Frame }
  | { type: "raw"; microphone: number; pcm: Frame; at: number }
  | { type: "end"; microphone: number };

/** What it answers. `settled`: so many frames from behind echo cancellation are not to be heard any more. */
export type FromEchoWorker =
  | { type: "frame"; microphone: number; pcm: Frame; settled: number }
  /** While Parley speaks: what a microphone hears beside those frames, and what is played. */
  | { type: "over"; microphone: number; of: SpokenOver; pcm: Frame; isFirst: boolean; isNear: boolean }
  /** Somebody speaks over the reply. */
  | { type: "near_speech" }
  /** All frames of this microphone were sent. */
  | { type: "ended"; microphone: number };
