import { EventEmitter } from "node:events";
import type { BrowserWindow } from "electron";
import { expect, test, vi } from "vitest";
import { QuickWindow, type WhyHidden } from "../../../../electron/desktop/windows/quick-window.ts";

vi.mock("electron", () => {
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1440, height: 900 } };
  return {
    screen: {
      getCursorScreenPoint: () => ({ x: 0, y: 0 }),
      getDisplayNearestPoint: () => display,
      getDisplayMatching: () => display,
    },
  };
});

/** As Electron's: one that was destroyed takes no call any more. */
class FakeWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), {
    ...{ getZoomFactor: () => 1, isLoading: () => false, isDestroyed: () => this.#isDestroyed },
    send: () => this.#assertThere(),
  });
  #isDestroyed = false;
  #isVisible = false;

  isDestroyed = () => this.#isDestroyed;
  isVisible = () => this.#isVisible && !this.#isDestroyed;
  getBounds = () => ({ x: 0, y: 0, width: 680, height: 400 });
  show = () => this.#turn(true);
  hide = () => this.#turn(false);
  focus = () => this.#assertThere();
  setPosition = () => this.#assertThere();
  setContentSize = () => this.#assertThere();
  destroy = () => {
    this.#isDestroyed = true;
  };

  #turn(isVisible: boolean): void {
    this.#assertThere();
    this.#isVisible = isVisible;
  }

  #assertThere(): void {
    if (this.#isDestroyed) throw new TypeError("Object has been destroyed");
  }
}

// Bug: once its page had crashed, the quick prompt stayed blank until Parley was started again.
test("a page that crashed is not shown again: the next time there is a new one", () => {
  const made: FakeWindow[] = [];
  const hidden: WhyHidden[] = [];
  const quick = new QuickWindow({
    create: () => {
      const window = new FakeWindow();
      made.push(window);
      return window as unknown as BrowserWindow;
    },
    keeping: { read: () => ({ main: null, zoomLevel: 0, quick: {} }), keep: () => {} },
    opening: async () => ({ selection: null, conversation: null }),
    onHidden: (why) => hidden.push(why),
  });
  quick.show();
  made[0]?.webContents.emit("render-process-gone");
  expect(quick.isShown).toBe(false);
  expect(hidden).toEqual(["closed"]);
  quick.toggle();
  expect(made).toHaveLength(2);
  expect(made[1]?.isVisible()).toBe(true);
  // While nobody sees it, too.
  quick.toggle();
  made[1]?.webContents.emit("render-process-gone");
  quick.toggle();
  expect(made).toHaveLength(3);
  expect(hidden).toEqual(["closed", "closed"]);
});
