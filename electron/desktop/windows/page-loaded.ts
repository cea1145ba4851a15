import type { BrowserWindow } from "electron";

/** Resolves when the window's page is there to be told something. */
export const pageLoaded = (window: BrowserWindow) =>
  new Promise<void>((resolve) => {
    if (!window.webContents.isLoading()) resolve();
    else window.webContents.once("did-finish-load", () => resolve());
  });
