import type { CaptureEvents } from "./capture.ts";
import type { FromEchoWorker, ToEchoWorker } from "./echo/echo-messages.ts";
import { EchoMicrophone } from "./echo-microphone.ts";

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
    this.#send({ type: "played", samples, at }, [samples.buffer]);
  }

  /** A reply begins, or goes on with its next sentence, or falls silent. */
  playing(isPlaying: boolean): void {
    this.#send({ type: "playing", isPlaying });
  }

  /** The reply makes way, or goes on from there. */
  paused(isPaused: boolean): void {
    this.#send({ type: "paused", isPaused });
  }

  /** @param onFrame gets what is to be heard of the microphone: each moment once, in order */
  open(onFrame: CaptureEvents["onFrame"]): EchoMicrophone {
    if (!this.#port) this.#start();
    const id = ++this.#lastId;
    const microphone = new EchoMicrophone({
      id,
      send: (request, transfer) => this.#send(request, transfer),
      fail: (why) => this.#fail(why),
      onFrame,
      onEnd: () => this.#microphones.delete(id),
      now: this.#options.now,
    });
    this.#microphones.set(id, microphone);
    this.#send({ type: "open", microphone: id });
    if (!this.#port) microphone.lose();
    return microphone;
  }

  #start(): void {
    try {
      const port = this.#options.start();
      port.onmessage = ({ data }: MessageEvent<FromEchoWorker>) => this.#receive(data);
      port.onmessageerror = () => this.#fail("a message of it cannot be read");
      // Without words where its program could not be loaded.
      port.onerror = ({ message }) => this.#fail(message || "it could not be started");
      this.#port = port;
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #send(request: ToEchoWorker, transfer: Transferable[] = []): void {
    this.#port?.postMessage(request, transfer);
  }

  #receive(event: FromEchoWorker): void {
    if (event.type === "near_speech") this.#tellNearSpeech();
    else if (event.type === "ended") this.#microphones.get(event.microphone)?.finish();
    else this.#microphones.get(event.microphone)?.take(event.pcm, event.settled);
  }

  #fail(why: string): void {
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
