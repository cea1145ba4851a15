import { isDeepStrictEqual } from "node:util";
import { type BrowserWindow, screen } from "electron";
import type { WindowKeeping } from "./kept-windows.ts";
import { placeMain } from "./place.ts";

const usualSize = { width: 1180, height: 800 };

/** Where the main window goes now. */
export function mainPlace(keeping: WindowKeeping) {
  const { main } = keeping.read();
  const area = placeMain(displaysNow(), main?.area ?? null, usualSize);
  return { ...area, isMaximised: main?.isMaximised ?? false };
}

/** The system's main display is the first one. */
function displaysNow() {
  const { id } = screen.getPrimaryDisplay();
  return screen.getAllDisplays().toSorted((a, b) => Number(b.id === id) - Number(a.id === id));
}

/** Where its display is gone or smaller now, the window goes to where it can be got hold of. */
export function bringBack(window: BrowserWindow): void {
  // The system itself keeps those on a display.
  if (window.isMaximized() || window.isFullScreen() || window.isMinimized()) return;
  const now = window.getNormalBounds();
  const area = placeMain(displaysNow(), now, usualSize);
  if (!isDeepStrictEqual(area, { ...now })) window.setBounds(area);
}

/** Keeps where the window is, and how large everything in it. */
export function keepMainPlace(window: BrowserWindow, keeping: WindowKeeping): void {
  keeping.keep({
    main: { area: window.getNormalBounds(), isMaximised: window.isMaximized() },
    zoomLevel: window.webContents.getZoomLevel(),
  });
}
