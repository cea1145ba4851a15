import type { MessagePortLike } from "../../../shared/port-transport.ts";
import { AudioPort } from "./audio-port.ts";

/** The audio window as this process knows it: the port it was given last, or none yet. */
export class AudioWindow {
  #port: AudioPort | undefined;
  readonly #waiting = new Set<(port: AudioPort) => void>();
  readonly #watchers = new Set<() => void>();

  /** A new window takes the place of the one before, whose sessions have lost their device. */
  attach(port: MessagePortLike): void {
    this.#port?.lose();
    const attached = new AudioPort(port, () => this.#tellWatchers());
    this.#port = attached;
    this.#tellWatchers();
    for (const resolve of [...this.#waiting]) resolve(attached);
    this.#waiting.clear();
  }

  /** Told when a device comes or goes, or a new window takes the place of the one before. @returns what ends it */
  onDevicesChanged(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  #tellWatchers(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Waits for the window where it is not there yet. @throws the signal's reason when aborted */
  async port(signal: AbortSignal): Promise<AudioPort> {
    signal.throwIfAborted();
    if (this.#port && !this.#port.isLost) return this.#port;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(arrived);
        reject(signal.reason);
      };
      const arrived = (port: AudioPort) => {
        signal.removeEventListener("abort", abort);
        resolve(port);
      };
      this.#waiting.add(arrived);
      signal.addEventListener("abort", abort, { once: true });
    });
  }
}
