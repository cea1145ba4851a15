import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import type { Clock } from "../clock.ts";
import type { AudioFrame, AudioSource, OpenedSource } from "./audio-source.ts";
import { Framer } from "./framer.ts";
import { openWav, type WavFile } from "./wav.ts";

/** Plays a WAV file: at the pace at which it was recorded, or as fast as it is read. */
export class FileSource implements AudioSource {
  readonly canWait = true;
  readonly #path: string;
  readonly #pace: "realtime" | "fast";
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #wav: WavFile | undefined;
  #reading = false;

  constructor(path: string, pace: "realtime" | "fast", clock: Clock) {
    this.#path = path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(path);
    this.#pace = pace;
    this.#clock = clock;
  }

  async open(): Promise<OpenedSource> {
    this.#wav = await openWav(this.#path);
    if (this.#closing.signal.aborted) await this.#wav.close();
    return { deviceId: null, deviceName: null };
  }

  async *frames(): AsyncGenerator<AudioFrame> {
    const wav = this.#wav;
    if (!wav) throw new Error("The file was not opened.");
    if (this.#closing.signal.aborted) return;
    this.#reading = true;
    try {
      const startedAt = this.#clock.now();
      for await (const frame of cut(wav)) {
        // A frame is there when its last sample was played, as with a microphone.
        const dueAt = startedAt + ((frame.sampleIndex + frame.pcm.length) * 1000) / sampleRateHz;
        if (this.#pace === "realtime" && !(await this.#until(dueAt))) return;
        if (this.#closing.signal.aborted) return;
        yield frame;
      }
    } finally {
      await wav.close();
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    // A file that is being read is closed by its reader: a read from a closed file would be an error.
    if (!this.#reading) await this.#wav?.close();
  }

  /** @returns false when the source was closed meanwhile */
  async #until(time: number): Promise<boolean> {
    try {
      await this.#clock.sleep(time - this.#clock.now(), this.#closing.signal);
      return true;
    } catch {
      return false;
    }
  }
}

async function* cut(wav: WavFile): AsyncGenerator<AudioFrame> {
  const framer = new Framer(wav.sampleRateHz);
  for await (const samples of wav.samples()) yield* framer.push(samples);
  yield* framer.flush();
}
