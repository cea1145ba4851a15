import { BrowserWindow, type MessagePortMain } from "electron";
import { ipcChannel } from "../../../shared/ipc-channel.ts";
import { appOrigin } from "../shell/app-protocol.ts";
import { lockedPreferences } from "../shell/web-preferences.ts";

type Channel = "audioPort" | "playbackPort";

/**
 * The hidden window that owns the microphone and plays what Parley says, so that echo cancellation knows it. It is made
 * when voice first needs it, again after its process died, and it ends when nobody needs it any more.
 */
export class AudioWindow {
  readonly #preload: string;
  readonly #onLog: (line: string) => void;
  readonly #listeners = new Set<() => void>();
  #window: BrowserWindow | null = null;
  /** What it is needed for. */
  readonly #channels = new Set<Channel>();
  /** Both who listens and who speaks may be the first to want it. */
  #opening: Promise<BrowserWindow> | null = null;

  /** @param onLog gets each warning and error of the page's console */
  constructor(preload: string, onLog: (line: string) => void) {
    this.#preload = preload;
    this.#onLog = onLog;
  }

  /** @param listener the page died, and with it the ports it held */
  onGone(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Hands the page one end of the port whose other end the STT process holds, or main, which has things to play. */
  async connect(port: MessagePortMain, channel: Channel = "audioPort"): Promise<void> {
    this.#channels.add(channel);
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.close();
      throw error;
    });
    const window = await this.#opening;
    window.webContents.postMessage(ipcChannel[channel], null, [port]);
  }

  /** Whoever connected by this channel needs it no more; the next one gets a new page. */
  release(channel: Channel): void {
    this.#channels.delete(channel);
    if (this.#channels.size === 0) this.close();
  }

  close(): void {
    this.#window?.destroy();
    this.#window = null;
    this.#opening = null;
  }

  async #open(): Promise<BrowserWindow> {
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        ...lockedPreferences(this.#preload),
        // Hidden windows are slowed down otherwise, and audio with them.
        backgroundThrottling: false,
      },
    });
    this.#window = window;
    window.webContents.on("render-process-gone", () => {
      this.close();
      for (const listener of this.#listeners) listener();
    });
    // Before Electron 35 level and words are no part of the event.
    window.webContents.on("console-message", (event, level, words) => {
      const isTrouble =
        "message" in event ? event.level === "warning" || event.level === "error" : level >= 2;
      if (isTrouble) this.#onLog("message" in event ? event.message : words);
    });
    await window.loadURL(`${appOrigin}/audio/index.html`);
    return window;
  }
}
