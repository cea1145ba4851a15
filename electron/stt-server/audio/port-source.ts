import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { SttError } from "../stt-error.ts";
import type { AudioPort, StreamMessage } from "./audio-port.ts";
import type { AudioFrame, AudioSource, OpenedSource, OverFrame } from "./audio-source.ts";
import type { AudioWindow } from "./audio-window.ts";
import { FrameQueue } from "./frame-queue.ts";
import type { WantedDevice } from "./recovering-source.ts";

/** How long a window may take to say that it closed a device; frames sent before still count. */
const closeTimeoutMs = 1000;

/** An open microphone that sends nothing for so long is broken: a silent one sends silence. */
const stallMs = 10_000;
const noAudioText = {
  microphone:
    "The microphone is open but sends no sound. Unmute it or choose another one, then start listening again.",
  loopback:
    "The system's sound is open but silent. Allow Parley to record the screen and system audio in the system's privacy settings, then start listening again.",
};

/** What the audio window can open. */
export type WindowSource = keyof typeof noAudioText;

/** A microphone, or the system's sound, behind the audio window's port. */
export class PortSource implements AudioSource {
  onOver: (frame: OverFrame) => void = () => undefined;
  readonly #window: AudioWindow;
  readonly #wanted: WantedDevice & { source: WindowSource };
  readonly #clock: Clock;
  readonly #stream = randomUUID();
  readonly #queue: FrameQueue;
  readonly #ended = new AbortController();
  #port: AudioPort | undefined;
  #isMuted: boolean | null = null;

  constructor(window: AudioWindow, wanted: WantedDevice & { source: WindowSource }, clock: Clock) {
    this.#window = window;
    this.#wanted = wanted;
    this.#clock = clock;
    const error = new SttError("no_audio", noAudioText[wanted.source]);
    this.#queue = new FrameQueue({ clock, afterMs: stallMs, error });
  }

  get hasGainControl(): boolean {
    return this.#wanted.source === "microphone";
  }

  async open(signal: AbortSignal): Promise<OpenedSource> {
    const port = await this.#window.port(signal);
    this.#port = port;
    const { source, deviceId, deviceName } = this.#wanted;
    return new Promise((resolve, reject) => {
      const abort = () => {
        port.close(this.#stream);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      const listener = (reply: StreamMessage) => {
        if (reply.type === "muted") {
          this.#isMuted = reply.isMuted;
          return;
        }
        signal.removeEventListener("abort", abort);
        if (reply.type === "opened") resolve({ deviceId: reply.deviceId, deviceName: reply.deviceName });
        else {
          const error = reply.type === "failed" ? describeFailure(reply, this.#wanted) : undefined;
          reject(error ?? new SttError("closed", "The device was closed before it was open."));
          this.#queue.end(error);
          this.#ended.abort();
        }
      };
      port.open(
        {
          stream: this.#stream,
          source,
          ...(deviceId === undefined ? {} : { deviceId }),
          ...(deviceName === undefined ? {} : { deviceName }),
        },
        { frames: this.#queue, over: (frame) => this.onOver(frame), listener },
      );
    });
  }

  frames(): AsyncIterable<AudioFrame> {
    return this.#queue;
  }

  async isMuted(): Promise<boolean | null> {
    return this.#isMuted;
  }

  async close(): Promise<void> {
    if (this.#port && !this.#ended.signal.aborted) {
      this.#port.close(this.#stream);
      // Ends early, with a rejection, when the window has answered.
      await this.#clock.sleep(closeTimeoutMs, this.#ended.signal).catch(() => undefined);
    }
    this.#queue.end();
    this.#ended.abort();
  }
}

/** What happened to the microphone, or the system's sound, in words that say what to do. */
export function describeFailure(
  { kind, message }: { kind: string; message: string },
  wanted: WantedDevice & { source?: WindowSource },
): SttError {
  if (wanted.source === "loopback") {
    const why =
      loopbackFailureText[kind] ?? `it failed (${kind}: ${message}). Try again, or use the microphone`;
    return new SttError(kind, `The system's sound cannot be heard: ${why}.`);
  }
  const named = wanted.deviceId !== undefined || wanted.deviceName !== undefined;
  const text =
    named && kind === "NotFoundError" ? `${message} Choose another microphone.` : failureText[kind];
  return new SttError(
    kind,
    text ?? `The microphone failed (${kind}): ${message}. Try again, or choose another.`,
  );
}

const noSystemSound =
  "this system gives none to other programs; macOS does from version 13 on. Use the microphone";
const loopbackFailureText: Partial<Record<string, string>> = {
  NotAllowedError:
    "Parley may not record it. Allow it under Screen & System Audio Recording in the system's privacy settings, then start Parley again",
  NotFoundError: noSystemSound,
  NotReadableError: noSystemSound,
  device_lost: "it broke off. Start listening again",
};

const failureText: Partial<Record<string, string>> = {
  NotFoundError: "No microphone was found. Connect one, then start listening again.",
  NotAllowedError:
    "Parley is not allowed to use the microphone. Allow it in the system's privacy settings, then start listening again.",
  NotReadableError:
    "The microphone cannot be opened: another program may be using it. Close that program, or choose another microphone.",
  OverconstrainedError:
    "The chosen microphone is not connected. Connect it, or choose one listed by stt_list_devices.",
  device_lost:
    "The microphone was disconnected. Connect it again, or choose another, then start listening again.",
};
