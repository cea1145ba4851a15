import { app } from "electron";

/** Longest that cleaning up may hold up a quit, in milliseconds. */
export const quitTimeoutMs = 5_000;

/**
 * Lets `cleanUp` finish before the app ends, however the end was asked for: menu, tray, Ctrl+C, SIGTERM. A
 * second wish, or a clean-up that hangs, ends it at once.
 */
export function quitCleanly(cleanUp: () => Promise<void>): void {
  let quitting = false;
  app.on("before-quit", (event) => {
    if (quitting) return;
    quitting = true;
    event.preventDefault();
    const patience = setTimeout(() => app.exit(0), quitTimeoutMs);
    void cleanUp().finally(() => {
      clearTimeout(patience);
      app.exit(0);
    });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (quitting) app.exit(0);
      else app.quit();
    });
  }
}
