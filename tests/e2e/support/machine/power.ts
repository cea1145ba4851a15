import type { ElectronApplication } from "playwright/test";

type PowerEvent = "suspend" | "resume" | "lock-screen" | "unlock-screen";

/** What the system says of its power reaches Parley. */
export const power = (app: ElectronApplication, event: PowerEvent) =>
  app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event);
