import type { ChimeName, PlaybackEvent } from "../../../shared/voice/speech.ts";

/** A sentence to be said. `id` counts up; sentences of a turn are played in the order they were asked for. */
export interface SpeechPart {
  turn: number;
  id: number;
  text: string;
  voice: string;
  /** Which of the voice's speakers, from 0. */
  speaker: number;
  /** Of the text, as `voice.language` has it. */
  language: string;
  /** 1 is the voice's own pace. */
  rate: number;
}

/** Says sentences aloud and tells how far it is. */
export interface Speaker {
  onEvent(listener: (event: PlaybackEvent) => void): void;
  /** Something may have to be said soon. */
  prepare(): void;
  /** It is about to be: the output is opened, so that the first sentence need not wait for it. */
  open(): void;
  /** Stops what is being said; what comes belongs to `turn`, which counts up. */
  begin(turn: number): void;
  say(part: SpeechPart): void;
  /** At once; `resume` goes on at the very sample. */
  pause(): void;
  resume(): void;
  /** @param volume 0–1 */
  setVolume(volume: number): void;
  /** The sound for what happened. */
  chime(of: ChimeName): void;
}
