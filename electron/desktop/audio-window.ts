import { BrowserWindow, type MessagePortMain } from "electron";
import { ipcChannel } from "../../shared/ipc.ts";
import { appOrigin } from "./app-protocol.ts";

/**
 * The hidden window that owns the microphone. It is made when voice first needs it, and again after its process
 * died.
 */
export class AudioWindow {
  readonly #preload: string;
  readonly #onGone: () => void;
  #window: BrowserWindow | null = null;

  /** @param onGone the page died, and with it the port it held */
  constructor(preload: string, onGone: () => void) {
    this.#preload = preload;
    this.#onGone = onGone;
  }

  /** Hands the page one end of the port whose other end the STT process holds. */
  async connect(port: MessagePortMain): Promise<void> {
    const window = this.#window ?? (await this.#open());
    window.webContents.postMessage(ipcChannel.audioPort, null, [port]);
  }

  close(): void {
    this.#window?.destroy();
    this.#window = null;
  }

  async #open(): Promise<BrowserWindow> {
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        preload: this.#preload,
        sandbox: true,
        contextIsolation: true,
        // Hidden windows are slowed down otherwise, and audio with them.
        backgroundThrottling: false,
      },
    });
    this.#window = window;
    window.webContents.on("render-process-gone", () => {
      this.close();
      this.#onGone();
    });
    await window.loadURL(`${appOrigin}/audio/index.html`);
    return window;
  }
}
