import { type BrowserWindow, screen } from "electron";
import type { IpcPush } from "../../../shared/ipc/push.ts";
import { quickMaxHeightPx, quickWidthPx } from "../../../shared/quick-size.ts";
import { push } from "../ipc/window-subscriptions.ts";
import type { WindowKeeping } from "./kept-windows.ts";
import { pageLoaded } from "./page-loaded.ts";
import { placeQuick, quickSize } from "./place.ts";
import { whenStill } from "./when-still.ts";

/** What the quick prompt is told when it comes into sight. */
export type QuickOpening = Omit<Extract<IpcPush, { type: "quick-opened" }>, "type" | "maxHeightPx">;

export type WhyHidden = "closed" | "opened";

export interface QuickWindowOptions {
  /** Makes the window, hidden, and loads its page. */
  create(): BrowserWindow;
  keeping: WindowKeeping;
  /** What there is to tell, now. */
  opening(): Promise<QuickOpening>;
  /** It is out of sight now: closed, or since the main window shows its conversation. */
  onHidden(why: WhyHidden): void;
}

/** The quick prompt's window. Once made it is kept, hidden: so it comes at once. */
export class QuickWindow {
  readonly #options: QuickWindowOptions;
  #window: BrowserWindow | null = null;
  #isOpen = false;
  #heightPx = quickMaxHeightPx;
  /** How high its page knows that it may become, in CSS pixels. */
  #roomPx: number | null = null;
  /** Where Parley put it, or it came to be when its display was gone. */
  #placed: { x: number; y: number } | null = null;

  constructor(options: QuickWindowOptions) {
    this.#options = options;
  }

  /** null before it was first shown. */
  get window(): BrowserWindow | null {
    return this.#window;
  }

  get isShown(): boolean {
    return this.#window?.isVisible() ?? false;
  }

  /** It was opened and not closed: it is in sight, but for the moment in which a picture of the screen is taken. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  toggle(): void {
    if (this.isShown) this.hide("closed");
    else this.show();
  }

  /** On the display with the pointer. @param draft fills the text box in; it is not sent */
  show(draft?: string): void {
    const window = this.#window ?? this.#create();
    // Read before the window takes the keyboard: what is selected elsewhere may go with it.
    const opening = this.#options.opening();
    const wasShown = window.isVisible();
    this.#isOpen = true;
    if (!wasShown) this.#place(window);
    window.show();
    window.focus();
    if (wasShown && draft === undefined) return;
    Promise.all([opening, pageLoaded(window)])
      .then(([told]) => {
        const { cssHeight } = this.#size(window);
        this.#roomPx = cssHeight;
        const filledIn = draft === undefined ? {} : { draft };
        push(window.webContents, { type: "quick-opened", ...told, ...filledIn, maxHeightPx: cssHeight });
      })
      .catch(console.error);
  }

  hide(why: WhyHidden): void {
    if (!this.#window || !this.#isOpen) return;
    this.#keepPlace(this.#window);
    this.#window.hide();
    this.#gone(why);
  }

  /** Out of the picture while `act` takes one; back then. */
  async without<T>(act: (displayId: number) => Promise<T>): Promise<T> {
    const window = this.#window;
    if (!window?.isVisible()) throw new Error("The quick prompt is not open.");
    const { id } = screen.getDisplayMatching(window.getBounds());
    window.hide();
    try {
      return await act(id);
    } finally {
      if (!window.isDestroyed() && this.#isOpen) {
        window.show();
        window.focus();
      }
    }
  }

  /** As high as what it shows, however large its page is drawn. @param heightPx in CSS pixels */
  fit(heightPx: number): void {
    this.#heightPx = heightPx;
    if (this.#window) this.#resize(this.#window);
  }

  /** Where its display is gone or smaller now, it goes to where it is wholly in sight. */
  bringBack(): void {
    if (!this.#window || !this.#isOpen) return;
    // Nobody has moved it there: its place on the display that is left stays as it was.
    const { x, y } = this.#window.getBounds();
    this.#placed = { x, y };
    this.#resize(this.#window);
  }

  #create(): BrowserWindow {
    const window = this.#options.create();
    this.#window = window;
    this.#roomPx = null;
    whenStill(window, () => {
      if (this.#isOpen) this.#keepPlace(window);
    });
    window.once("close", () => {
      this.#window = null;
      this.#gone("closed");
    });
    // Its page is gone, and nobody sees that it listens. The next time it is made anew.
    window.webContents.on("render-process-gone", () => {
      this.hide("closed");
      this.#window = null;
      window.destroy();
    });
    window.webContents.on("zoom-changed", () => this.#resize(window));
    return window;
  }

  #gone(why: WhyHidden): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.onHidden(why);
  }

  #size(window: BrowserWindow) {
    const display = screen.getDisplayMatching(window.getBounds());
    const zoom = window.webContents.getZoomFactor();
    return quickSize(display, zoom, { width: quickWidthPx, height: quickMaxHeightPx });
  }

  #resize(window: BrowserWindow): void {
    const { width, height, cssHeight } = this.#size(window);
    // Only what was opened knows of any.
    if (this.#roomPx !== null && this.#roomPx !== cssHeight) {
      this.#roomPx = cssHeight;
      push(window.webContents, { type: "quick-room", maxHeightPx: cssHeight });
    }
    const wanted = Math.min(height, Math.ceil(this.#heightPx * window.webContents.getZoomFactor()));
    window.setContentSize(width, wanted);
    this.#keepInside(window, { width, height: wanted });
  }

  /** What has become larger may reach over the edge: the window gives way. */
  #keepInside(window: BrowserWindow, size: { width: number; height: number }): void {
    const { x, y } = window.getBounds();
    const { id, workArea } = screen.getDisplayMatching(window.getBounds());
    const inside = placeQuick({ id, workArea }, { x: x - workArea.x, y: y - workArea.y }, size);
    if (inside.x === x && inside.y === y) return;
    window.setPosition(inside.x, inside.y);
    if (this.#placed?.x === x && this.#placed.y === y) this.#placed = inside;
  }

  #place(window: BrowserWindow): void {
    const display = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const zoom = window.webContents.getZoomFactor();
    const size = quickSize(display, zoom, { width: quickWidthPx, height: quickMaxHeightPx });
    const { quick } = this.#options.keeping.read();
    const { x, y } = placeQuick(display, quick[String(display.id)] ?? null, size);
    window.setPosition(x, y);
    const height = Math.min(size.height, Math.ceil(this.#heightPx * zoom));
    window.setContentSize(size.width, height);
    this.#placed = { x, y };
  }

  /** Where the user has moved it, it comes again on that display. */
  #keepPlace(window: BrowserWindow): void {
    const { x, y } = window.getBounds();
    if (!this.#placed || (x === this.#placed.x && y === this.#placed.y)) return;
    const { id, workArea } = screen.getDisplayMatching(window.getBounds());
    const { quick } = this.#options.keeping.read();
    const offset = { x: Math.round(x - workArea.x), y: Math.round(y - workArea.y) };
    this.#options.keeping.keep({ quick: { ...quick, [String(id)]: offset } });
  }
}
