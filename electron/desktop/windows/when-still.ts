import type { BrowserWindow } from "electron";

/** A window that was not moved for so long stands still, in milliseconds. */
const stillMs = 400;

/** Once the window stands still after it was moved or became larger or smaller. */
export function whenStill(window: BrowserWindow, act: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!window.isDestroyed()) act();
    }, stillMs);
  };
  window.on("move", wait);
  window.on("resize", wait);
}
