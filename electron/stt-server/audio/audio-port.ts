import type { MessagePortLike } from "../../../shared/port-transport.ts";
import { messageData } from "../../../shared/port-transport.ts";
import { type AudioReply, type AudioRequest, audioReply, type SttDevice } from "../../../shared/voice/stt.ts";
import type { OverFrame } from "./audio-source.ts";
import type { FrameQueue } from "./frame-queue.ts";

type StreamReply = Extract<AudioReply, { stream: string }>;
/** What the window says of a stream, but for its sound. */
export type StreamMessage = Exclude<StreamReply, { type: "frame" | "over" }>;

interface Stream {
  frames: Pick<FrameQueue, "push">;
  over(frame: OverFrame): void;
  listener(news: StreamMessage): void;
}

/** The port to the audio window: every microphone session's requests go out here, its frames come in. */
export class AudioPort {
  readonly #port: MessagePortLike;
  readonly #streams = new Map<string, Stream>();
  readonly #lists = new Map<number, (devices: SttDevice[]) => void>();
  #nextRequest = 1;
  #lost = false;

  readonly #onDevicesChanged: () => void;

  constructor(port: MessagePortLike, onDevicesChanged: () => void) {
    this.#port = port;
    this.#onDevicesChanged = onDevicesChanged;
    port.on("message", (event) => this.#receive(messageData(event)));
    port.on("close", () => this.lose());
    port.start();
  }

  get isLost(): boolean {
    return this.#lost;
  }

  /** Opens a stream: its sound goes into `frames` and `over`, all else the window says about it to `listener`, until it is over. */
  open(request: Omit<Extract<AudioRequest, { type: "open" }>, "type">, stream: Stream) {
    this.#streams.set(request.stream, stream);
    if (this.#lost) this.#fail(request.stream);
    else this.#send({ type: "open", ...request });
  }

  /** Asks the window to let go of the device; it answers with `closed`. */
  close(stream: string): void {
    if (this.#streams.has(stream)) this.#send({ type: "close", stream });
  }

  /** The capture devices; rejects when aborted, and answers none once the window is gone. */
  list(signal: AbortSignal): Promise<SttDevice[]> {
    if (this.#lost) return Promise.resolve([]);
    const request = this.#nextRequest++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#lists.delete(request);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#lists.set(request, (devices) => {
        signal.removeEventListener("abort", abort);
        this.#lists.delete(request);
        resolve(devices);
      });
      this.#send({ type: "list", request });
    });
  }

  /** The window is gone, or another took its place: what still runs has lost its device. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#port.close();
    for (const stream of [...this.#streams.keys()]) this.#fail(stream);
    for (const answer of [...this.#lists.values()]) answer([]);
  }

  #fail(stream: string): void {
    const { listener } = this.#streams.get(stream) ?? {};
    this.#streams.delete(stream);
    listener?.({ type: "failed", stream, kind: "device_lost", message: "The audio window is gone." });
  }

  #send(request: AudioRequest): void {
    this.#port.postMessage(request);
  }

  #receive(data: unknown): void {
    const parsed = audioReply.safeParse(data);
    if (!parsed.success) {
      console.error("The audio window sent something else than an audio reply:", parsed.error.message);
      return;
    }
    const reply = parsed.data;
    if (reply.type === "devices_changed") {
      this.#onDevicesChanged();
      return;
    }
    if (reply.type === "devices") {
      this.#lists.get(reply.request)?.(reply.capture);
      return;
    }
    const stream = this.#streams.get(reply.stream);
    if (reply.type === "frame") {
      stream?.frames.push(reply);
      return;
    }
    if (reply.type === "over") {
      stream?.over(reply);
      return;
    }
    if (reply.type === "failed" || reply.type === "closed") this.#streams.delete(reply.stream);
    stream?.listener(reply);
  }
}
