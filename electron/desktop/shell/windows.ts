import { BrowserWindow, screen, type WebContents } from "electron";
import { type IpcPush, quickMaxHeightPx } from "../../../shared/ipc.ts";
import type { KeyRequest } from "../../../shared/safety/secrets.ts";
import { push } from "../ipc/window-subscriptions.ts";
import { appOrigin } from "./app-protocol.ts";
import { lockedPreferences } from "./web-preferences.ts";

const quickWidthPx = 680;

const pageLoaded = (window: BrowserWindow) =>
  new Promise<void>((resolve) => {
    if (!window.webContents.isLoading()) resolve();
    else window.webContents.once("did-finish-load", () => resolve());
  });

/** The windows that people see: the main one and the quick prompt. Closing them stops nothing. */
export class Windows {
  readonly #preload: string;
  readonly #icon: string;
  readonly #onClosing: (contents: WebContents) => void;
  #main: BrowserWindow | null = null;
  #quick: BrowserWindow | null = null;

  /** @param options.onClosing a window is on its way out: nothing may be sent to its page from now on */
  constructor(options: { preload: string; icon: string; onClosing(contents: WebContents): void }) {
    this.#preload = options.preload;
    this.#icon = options.icon;
    this.#onClosing = options.onClosing;
  }

  /** Shows the main window, with `conversationId` when given. */
  openMain(conversationId?: string): void {
    const window = this.#main ?? this.#createMain();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (conversationId === undefined) return;
    void pageLoaded(window).then(() =>
      push(window.webContents, { type: "show-conversation", conversationId }),
    );
  }

  /** Shows the main window with what waits for the user's word in the conversation. */
  showApprovals(conversationId: string): void {
    this.openMain(conversationId);
    const window = this.#main;
    if (!window) return;
    void pageLoaded(window).then(() => push(window.webContents, { type: "show-approvals" }));
  }

  /** Shows the main window with the form for a key. */
  askKey(request: KeyRequest): void {
    this.openMain();
    const window = this.#main;
    if (!window) return;
    void pageLoaded(window).then(() => push(window.webContents, { type: "ask-key", ...request }));
  }

  /** Shows the quick prompt where the pointer is, or hides it. It is kept loaded, so it comes at once. */
  toggleQuick(): void {
    if (this.#quick?.isVisible()) {
      this.closeQuick();
      return;
    }
    const window = this.#quick ?? this.#createQuick();
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const { width } = window.getBounds();
    window.setPosition(
      Math.round(workArea.x + (workArea.width - width) / 2),
      Math.round(workArea.y + workArea.height / 5),
    );
    window.show();
    window.focus();
    void pageLoaded(window).then(() => push(window.webContents, { type: "focus-composer" }));
  }

  closeQuick(): void {
    this.#quick?.hide();
  }

  resizeQuick(heightPx: number): void {
    const [width = quickWidthPx] = this.#quick?.getContentSize() ?? [];
    this.#quick?.setContentSize(width, heightPx);
  }

  isMain(contents: WebContents): boolean {
    return this.#main?.webContents === contents;
  }

  broadcast(message: IpcPush): void {
    for (const window of [this.#main, this.#quick]) {
      // The end of the app takes windows away without closing them.
      if (window && !window.isDestroyed()) push(window.webContents, message);
    }
  }

  #createMain(): BrowserWindow {
    const window = this.#create("main", {
      width: 1180,
      height: 800,
      minWidth: 420,
      minHeight: 480,
      title: "Parley",
    });
    this.#main = window;
    window.once("close", () => {
      this.#main = null;
    });
    return window;
  }

  #createQuick(): BrowserWindow {
    const window = this.#create("quick", {
      width: quickWidthPx,
      height: quickMaxHeightPx,
      frame: false,
      transparent: true,
      resizable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      title: "Parley: quick prompt",
    });
    this.#quick = window;
    window.once("close", () => {
      this.#quick = null;
    });
    return window;
  }

  #create(page: "main" | "quick", options: Electron.BrowserWindowConstructorOptions): BrowserWindow {
    const window = new BrowserWindow({
      ...options,
      show: false,
      icon: this.#icon,
      autoHideMenuBar: true,
      webPreferences: lockedPreferences(this.#preload),
    });
    // Already here, not at "closed": to send to a page that is being torn down crashes Electron.
    window.once("close", () => this.#onClosing(window.webContents));
    void window.loadURL(`${appOrigin}/${page}/index.html`);
    return window;
  }
}
