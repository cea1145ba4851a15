import { frameSamples } from "../../shared/voice/stt.ts";
import type { CaptureEvents, OverFrame } from "./capture-events.ts";
import type { Frame, FromEchoWorker, ToEchoWorker } from "./echo/echo-messages.ts";

/** A worker that has kept a frame for so long is stuck: it never holds one back for half of that. Milliseconds. */
const patienceMs = 3_000;
/** Who closes a microphone waits for its last frames, and not for long. Milliseconds. */
const endPatienceMs = 500;

/** What a page sees of a worker. */
export type EchoPort = Pick<Worker, "onmessage" | "onmessageerror" | "onerror" | "postMessage" | "terminate">;

export interface EchoLinkOptions {
  /** Starts the worker. @throws where it cannot be started */
  start(): EchoPort;
  /** The worker is of no use any more: why, and what that means. */
  report(problem: string): void;
  /** Milliseconds. */
  now(): number;
}

/**
 * The audio page's side of the echo worker, which gets what is played and what microphones hear, and answers with what is
 * to be heard. Nothing is computed here. Without it, a microphone is heard as echo cancellation leaves it; the next one that
 * is opened starts another worker.
 */
export class EchoLink {
  readonly #options: EchoLinkOptions;
  readonly #microphones = new Map<number, EchoMicrophone>();
  #port: EchoPort | null = null;
  #lastId = 0;
  #tellNearSpeech = () => {};

  constructor(options: EchoLinkOptions) {
    this.#options = options;
    this.#start();
  }

  /** @param listener somebody speaks over the reply; takes the place of the one before */
  onNearSpeech(listener: () => void): void {
    this.#tellNearSpeech = listener;
  }

  /** @param samples what goes to the loudspeaker, a frame at 16 kHz, which is the worker's from now on */
  played(samples: Float32Array<ArrayBuffer>, at: number): void {
    this.send({ type: "played", samples, at }, [samples.buffer]);
  }

  /** A reply begins, or goes on with its next sentence, or falls silent. */
  playing(isPlaying: boolean): void {
    this.send({ type: "playing", isPlaying });
  }

  /** The reply makes way, or goes on from there. */
  paused(isPaused: boolean): void {
    this.send({ type: "paused", isPaused });
  }

  /** Microphones or loudspeakers came or went: an echo may be another one from now on. */
  devicesChanged(): void {
    this.send({ type: "devices_changed" });
  }

  /**
   * @param device which one it is: what was learned of its echo before is known at once
   * @param events get what is to be heard of the microphone: each moment once, in order
   */
  open(device: string, events: CaptureEvents): EchoMicrophone {
    if (!this.#port) this.#start();
    const id = ++this.#lastId;
    const microphone = new EchoMicrophone(id, this, events);
    this.#microphones.set(id, microphone);
    this.send({ type: "open", microphone: id, device });
    if (!this.#port) microphone.lose();
    return microphone;
  }

  /** Of this microphone no frame follows. */
  forget(microphone: number): void {
    this.#microphones.delete(microphone);
  }

  /** Milliseconds. */
  now(): number {
    return this.#options.now();
  }

  #start(): void {
    try {
      const port = this.#options.start();
      port.onmessage = ({ data }: MessageEvent<FromEchoWorker>) => this.#receive(data);
      port.onmessageerror = () => this.fail("a message of it cannot be read");
      // Without words where its program could not be loaded.
      port.onerror = ({ message }) => this.fail(message || "it could not be started");
      this.#port = port;
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
    }
  }

  send(request: ToEchoWorker, transfer: Transferable[] = []): void {
    this.#port?.postMessage(request, transfer);
  }

  #receive(event: FromEchoWorker): void {
    if (event.type === "near_speech") this.#tellNearSpeech();
    else if (event.type === "over") this.#microphones.get(event.microphone)?.over(event);
    else if (event.type === "ended") this.#microphones.get(event.microphone)?.finish();
    else this.#microphones.get(event.microphone)?.take(event.pcm, event.settled);
  }

  /** The worker does not work. */
  fail(why: string): void {
    if (this.#port) {
      this.#port.onmessage = this.#port.onmessageerror = this.#port.onerror = null;
      this.#port.terminate();
      this.#port = null;
    }
    this.#options.report(
      `The echo worker failed (${why}). Until listening starts again, the microphone is heard as echo cancellation leaves it, and who speaks over a reply is noticed later.`,
    );
    for (const microphone of [...this.#microphones.values()]) microphone.lose();
  }
}

/**
 * A microphone whose sound the echo worker chooses from. Frames that came from behind echo cancellation are kept until the
 * worker has settled what is heard at their time: where it fails, they are heard themselves, so that no moment is missing
 * and none comes twice.
 */
class EchoMicrophone implements CaptureEvents {
  readonly #id: number;
  readonly #link: EchoLink;
  readonly #events: CaptureEvents;
  /** The latest frames from behind echo cancellation, of which nothing is settled yet. */
  #waiting: { pcm: Frame; at: number }[] = [];
  #came = 0;
  #settled = 0;
  #passed = 0;
  #hasWorker = true;
  #ending: Promise<void> | null = null;
  #ended = () => {};

  constructor(id: number, link: EchoLink, events: CaptureEvents) {
    this.#id = id;
    this.#link = link;
    this.#events = events;
  }

  /** What is left behind echo cancellation, and keeps the time. */
  onFrame({ pcm }: { pcm: Frame }): void {
    this.#came += 1;
    // The raw sound of that moment may have been ahead.
    const isSettled = this.#came <= this.#settled;
    if (!this.#hasWorker) {
      if (!isSettled) this.#pass(pcm);
      return;
    }
    const link = this.#link;
    const at = link.now();
    if (!isSettled) this.#waiting.push({ pcm, at });
    const copy = pcm.slice();
    link.send({ type: "aec", microphone: this.#id, pcm: copy }, [copy.buffer]);
    const [oldest] = this.#waiting;
    if (oldest && at - oldest.at > patienceMs) link.fail(`nothing came from it for ${patienceMs / 1000} s`);
  }

  onMuted(isMuted: boolean): void {
    this.#events.onMuted?.(isMuted);
  }

  /** The device is gone: told after its last frame. */
  onLost(): void {
    void this.end().then(() => this.#events.onLost());
  }

  /** What the microphone hears as it is; the frame is the worker's from now on. @param at when it was there, milliseconds */
  raw(pcm: Frame, at: number): void {
    if (!this.#hasWorker) return;
    this.#link.send({ type: "raw", microphone: this.#id, pcm, at }, [pcm.buffer]);
  }

  /** The worker's next frame. */
  take(pcm: Frame, settled: number): void {
    this.#settled = settled;
    this.#waiting.splice(0, settled - (this.#came - this.#waiting.length));
    this.#pass(pcm);
  }

  /** What is heard beside the frames while Parley speaks. */
  over({ of, pcm, isFirst, isNear }: OverFrame): void {
    this.#events.onOver?.({ of, pcm, isFirst, isNear });
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
      this.#link.send({ type: "end", microphone: this.#id });
      const ended = new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
      const patience = setTimeout(() => this.lose(), endPatienceMs);
      await ended;
      clearTimeout(patience);
    }
    this.#link.forget(this.#id);
  }

  #pass(pcm: Frame): void {
    this.#events.onFrame({ sampleIndex: this.#passed * frameSamples, pcm });
    this.#passed += 1;
  }
}
