import { BrowserWindow, type WebContents } from "electron";
import type { IpcPush } from "../../../shared/ipc/push.ts";
import { quickMaxHeightPx, quickWidthPx } from "../../../shared/quick-size.ts";
import type { KeyRequest } from "../../../shared/safety/secrets.ts";
import { push } from "../ipc/window-subscriptions.ts";
import { followDisplays } from "../windows/follow-displays.ts";
import type { WindowKeeping } from "../windows/kept-windows.ts";
import { bringBack, keepMainPlace, mainPlace } from "../windows/main-place.ts";
import { pageLoaded } from "../windows/page-loaded.ts";
import { type QuickOpening, QuickWindow, type WhyHidden } from "../windows/quick-window.ts";
import { whenStill } from "../windows/when-still.ts";
import { steppedZoom, type ZoomStep, zoomByKeys } from "../windows/zoom-keys.ts";
import { appOrigin } from "./app-protocol.ts";
import { lockedPreferences } from "./web-preferences.ts";

export interface WindowsOptions {
  preload: string;
  icon: string;
  /** How windows stood when they were last seen. */
  keeping: WindowKeeping;
  /** A window is on its way out: nothing may be sent to its page from now on. */
  onClosing(contents: WebContents): void;
}

/** What the quick prompt is told, and tells. */
export interface QuickLink {
  opening(): Promise<QuickOpening>;
  onHidden(why: WhyHidden): void;
}

/** The windows that people see: the main one and the quick prompt. Closing them stops nothing. */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #quick: QuickWindow;
  #main: BrowserWindow | null = null;
  #quickLink: QuickLink = {
    opening: async () => ({ selection: null, conversation: null }),
    onHidden: () => {},
  };

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#quick = new QuickWindow({
      create: () => this.#createQuick(),
      keeping: options.keeping,
      opening: () => this.#quickLink.opening(),
      onHidden: (why) => this.#quickLink.onHidden(why),
    });
    followDisplays(() => {
      if (this.#main && !this.#main.isDestroyed()) bringBack(this.#main);
      this.#quick.bringBack();
    });
  }

  /** The quick prompt, which stands before the conversations that it is told of. */
  get quick(): QuickWindow {
    return this.#quick;
  }

  linkQuick(link: QuickLink): void {
    this.#quickLink = link;
  }

  /** Shows the main window, with `conversationId` when given. */
  openMain(conversationId?: string): void {
    const window = this.#main ?? this.#createMain();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (conversationId === undefined) return;
    this.#pushOnceLoaded(window, { type: "show-conversation", conversationId });
  }

  #pushOnceLoaded(window: BrowserWindow, message: IpcPush): void {
    pageLoaded(window)
      .then(() => push(window.webContents, message))
      .catch(console.error);
  }

  /** Shows the main window with what waits for the user's word in the conversation. @param key of the approval or the question */
  showWaiting(conversationId: string, key: string): void {
    this.showInMain({ type: "show-waiting", conversationId, key });
  }

  /** Shows the main window with the form for a key. */
  askKey(request: KeyRequest): void {
    this.openMain();
    const window = this.#main;
    if (!window) return;
    this.#pushOnceLoaded(window, { type: "ask-key", ...request });
  }

  /** Shows the main window, and in it what the user asked for. @param conversationId the one to show; without it that stays */
  showInMain(message: IpcPush, conversationId?: string): void {
    this.openMain(conversationId);
    const window = this.#main;
    if (!window) return;
    this.#pushOnceLoaded(window, message);
  }

  /** Everything in the window that has the keyboard becomes larger or smaller; other windows follow, being of one origin. */
  zoom(step: ZoomStep): void {
    const window = BrowserWindow.getFocusedWindow() ?? this.#main;
    if (!window) return;
    window.webContents.setZoomLevel(steppedZoom(window.webContents.getZoomLevel(), step));
    this.#zoomed(window.webContents.getZoomLevel());
  }

  /** How the main window stands counts for the next one: told when it was moved, when it closes, and when Parley ends. */
  keepPlaces(): void {
    if (this.#main && !this.#main.isDestroyed()) keepMainPlace(this.#main, this.#options.keeping);
  }

  get isMainOpen(): boolean {
    return this.#main !== null && !this.#main.isDestroyed();
  }

  /** The page of the window that has the keyboard. */
  get inFront(): WebContents | undefined {
    return BrowserWindow.getFocusedWindow()?.webContents;
  }

  isMain(contents: WebContents): boolean {
    return this.#main?.webContents === contents;
  }

  broadcast(message: IpcPush): void {
    this.tellMain(message);
    this.tellQuick(message);
  }

  tellMain(message: IpcPush): void {
    tell(this.#main, message);
  }

  tellQuick(message: IpcPush): void {
    tell(this.#quick.window, message);
  }

  #zoomed(zoomLevel: number): void {
    this.#options.keeping.keep({ zoomLevel });
  }

  #createMain(): BrowserWindow {
    const { keeping } = this.#options;
    const { isMaximised, ...place } = mainPlace(keeping);
    const window = this.#create("main", { ...place, minWidth: 420, minHeight: 480, title: "Parley" });
    if (isMaximised) window.maximize();
    this.#main = window;
    // Also after a crash it opens where it was.
    whenStill(window, () => this.keepPlaces());
    window.once("close", () => {
      this.keepPlaces();
      this.#main = null;
    });
    reloadAfterCrash(window);
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
      // Over full-screen programs too, and the program behind keeps its place: it has the keyboard again once this one is hidden.
      ...(process.platform === "darwin" && { type: "panel" }),
    });
    // It comes where the user is, not where it was first shown.
    if (process.platform === "darwin") {
      window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    } else if (process.platform === "linux") window.setVisibleOnAllWorkspaces(true);
    return window;
  }

  #create(page: "main" | "quick", options: Electron.BrowserWindowConstructorOptions): BrowserWindow {
    const { preload, icon, keeping, onClosing } = this.#options;
    const window = new BrowserWindow({
      ...options,
      show: false,
      icon,
      autoHideMenuBar: true,
      webPreferences: { ...lockedPreferences(preload), zoomFactor: zoomFactorOf(keeping.read().zoomLevel) },
    });
    // Already here, not at "closed": to send to a page that is being torn down crashes Electron.
    window.once("close", () => onClosing(window.webContents));
    zoomByKeys(window.webContents, (level) => this.#zoomed(level));
    void window.loadURL(`${appOrigin}/${page}/index.html`);
    return window;
  }
}

/** A page that dies again so soon dies of what it shows, in milliseconds. */
const leastLifeMs = 30_000;

/** What the page showed is in main: it comes again. */
function reloadAfterCrash(window: BrowserWindow): void {
  let crashedAt = Number.NEGATIVE_INFINITY;
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    const now = performance.now();
    if (now - crashedAt > leastLifeMs) window.webContents.reload();
    crashedAt = now;
  });
}

/** The end of the app takes windows away without closing them. */
function tell(window: BrowserWindow | null, message: IpcPush): void {
  if (window && !window.isDestroyed()) push(window.webContents, message);
}

/** Electron's levels as a factor. */
const zoomFactorOf = (level: number) => 1.2 ** level;
