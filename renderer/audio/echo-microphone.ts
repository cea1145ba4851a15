import { frameSamples } from "../../shared/voice/stt.ts";
import type { CaptureEvents } from "./capture.ts";
import type { Frame, ToEchoWorker } from "./echo/echo-messages.ts";

/** A worker that has kept a frame for so long is stuck: it never holds one back for half of that. Milliseconds. */
const patienceMs = 3_000;
/** Who closes a microphone waits for its last frames, and not for long. Milliseconds. */
const endPatienceMs = 500;

export interface EchoMicrophoneOptions {
  id: number;
  send(request: ToEchoWorker, transfer?: Transferable[]): void;
  /** The worker does not work. */
  fail(why: string): void;
  onFrame: CaptureEvents["onFrame"];
  /** No frame follows. */
  onEnd(): void;
  /** Milliseconds. */
  now(): number;
}

/**
 * A microphone whose sound the echo worker chooses from. Frames that came from behind echo cancellation are kept until the
 * worker has settled what is heard at their time: where it fails, they are heard themselves, so that no moment is missing
 * and none comes twice.
 */
export class EchoMicrophone {
  readonly #options: EchoMicrophoneOptions;
  /** The latest frames from behind echo cancellation, of which nothing is settled yet. */
  #waiting: { pcm: Frame; at: number }[] = [];
  #came = 0;
  #settled = 0;
  #passed = 0;
  #hasWorker = true;
  #ending: Promise<void> | null = null;
  #ended = () => {};

  constructor(options: EchoMicrophoneOptions) {
    this.#options = options;
  }

  /** What is left behind echo cancellation, and keeps the time. */
  aec(pcm: Frame): void {
    this.#came += 1;
    // The raw sound of that moment may have been ahead.
    const isSettled = this.#came <= this.#settled;
    if (!this.#hasWorker) {
      if (!isSettled) this.#pass(pcm);
      return;
    }
    const { id, send, fail, now } = this.#options;
    const at = now();
    if (!isSettled) this.#waiting.push({ pcm, at });
    const copy = pcm.slice();
    send({ type: "aec", microphone: id, pcm: copy }, [copy.buffer]);
    const [oldest] = this.#waiting;
    if (oldest && at - oldest.at > patienceMs) fail(`nothing came from it for ${patienceMs / 1000} s`);
  }

  /** What the microphone hears as it is; the frame is the worker's from now on. @param at when it was there, milliseconds */
  raw(pcm: Frame, at: number): void {
    if (!this.#hasWorker) return;
    this.#options.send({ type: "raw", microphone: this.#options.id, pcm, at }, [pcm.buffer]);
  }

  /** The worker's next frame. */
  take(pcm: Frame, settled: number): void {
    this.#settled = settled;
    this.#waiting.splice(0, settled - (this.#came - this.#waiting.length));
    this.#pass(pcm);
  }

  /** The worker sends no frame any more, since the microphone was closed. */
  finish(): void {
    this.#hasWorker = false;
    this.#waiting = [];
    this.#ended();
  }

  /** There is no worker: what waits for it is heard as it is, and all that comes. */
  lose(): void {
    if (!this.#hasWorker) return;
    this.#hasWorker = false;
    for (const { pcm } of this.#waiting.splice(0)) this.#pass(pcm);
    this.#ended();
  }

  /** Nothing more comes. Done when its last frame was passed on. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (this.#hasWorker) {
      this.#options.send({ type: "end", microphone: this.#options.id });
      const ended = new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
      const patience = setTimeout(() => this.lose(), endPatienceMs);
      await ended;
      clearTimeout(patience);
    }
    this.#options.onEnd();
  }

  #pass(pcm: Frame): void {
    this.#options.onFrame({ sampleIndex: this.#passed * frameSamples, pcm });
    this.#passed += 1;
  }
}
