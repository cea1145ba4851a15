import { app } from "electron";

/** Longest that cleaning up may hold up a quit, in milliseconds. */
export const quitTimeoutMs = 5_000;

export interface QuitActions {
  /** Ctrl+C in the terminal. @returns true when there was something to stop: then the next one quits */
  interrupt(): boolean;
  cleanUp(): Promise<void>;
}

/** Ends the app with this exit code once it has cleaned up. One that hangs does not keep it. */
export async function endWith(code: number, cleanUp: () => Promise<void>): Promise<void> {
  // Electron would show what nobody caught in a dialog, which keeps the app until somebody presses its button.
  process.on("uncaughtException", () => {});
  const patience = setTimeout(() => app.exit(code), quitTimeoutMs);
  await cleanUp().finally(() => {
    clearTimeout(patience);
    app.exit(code);
  });
}

/**
 * Lets `cleanUp` finish before the app ends, however the end was asked for: menu, tray, Ctrl+C, SIGTERM. A
 * second wish, or a clean-up that hangs, ends it at once.
 */
export function quitCleanly({ interrupt, cleanUp }: QuitActions): void {
  let quitting = false;
  app.on("before-quit", (event) => {
    if (quitting) return;
    quitting = true;
    event.preventDefault();
    void endWith(0, cleanUp);
  });
  const quit = () => {
    if (quitting) app.exit(0);
    else app.quit();
  };
  // The settings library brings a handler of its own that exits at once, past every clean-up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
  process.on("SIGTERM", quit);
  process.on("SIGHUP", quit);
  process.on("SIGINT", () => {
    if (!interrupt()) quit();
  });
}
