import type { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Windows } from "../../../../electron/desktop/shell/windows.ts";

interface Made extends EventEmitter {
  webContents: EventEmitter;
  loads: string[];
}

const screen = vi.hoisted(() => ({ made: [] as unknown[] }));

vi.mock("electron", async () => {
  const { EventEmitter } = await import("node:events");
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1440, height: 900 } };
  class BrowserWindow extends EventEmitter {
    readonly loads: string[] = [];
    readonly webContents = Object.assign(new EventEmitter(), {
      reload: () => void this.loads.push("again"),
      getZoomLevel: () => 0,
    });
    constructor() {
      super();
      screen.made.push(this);
    }
    loadURL = async (url: string) => void this.loads.push(url);
    getNormalBounds = () => display.workArea;
    isDestroyed = () => false;
    isMaximized = () => false;
    isMinimized = () => false;
    show() {}
    focus() {}
  }
  return {
    app: new EventEmitter(),
    BrowserWindow,
    screen: Object.assign(new EventEmitter(), {
      getPrimaryDisplay: () => display,
      getAllDisplays: () => [display],
    }),
  };
});

beforeEach(() => {
  screen.made = [];
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A main window whose page dies. */
function newMain() {
  const keeping = { read: () => ({ main: null, zoomLevel: 0, quick: {} }), keep: () => {} };
  new Windows({ preload: "", icon: "", keeping, onClosing: () => {} }).openMain();
  const [window] = screen.made as Made[];
  if (!window) throw new Error("There is no window.");
  const die = (reason: string) => window.webContents.emit("render-process-gone", {}, { reason });
  return { loads: window.loads, die };
}

// Bug: a window whose page had crashed, such as for want of memory, stayed blank until it was closed.
test("a page of the main window that crashed is loaded again, but not over and over", () => {
  const { loads, die } = newMain();
  const first = ["app://parley/main/index.html"];
  die("clean-exit");
  expect(loads).toEqual(first);
  die("oom");
  expect(loads).toEqual([...first, "again"]);
  vi.advanceTimersByTime(1_000);
  die("crashed");
  expect(loads).toEqual([...first, "again"]);
  vi.advanceTimersByTime(60_000);
  die("crashed");
  expect(loads).toEqual([...first, "again", "again"]);
});
