import { powerMonitor } from "electron";

export interface PowerEvents {
  /** The computer goes to sleep, or its screen is locked. */
  onAway(): void;
  /** It woke up. */
  onAwake(): void;
  onUnlock(): void;
}

/** Tells of sleep and lock for as long as the app runs. */
export function watchPower({ onAway, onAwake, onUnlock }: PowerEvents): void {
  powerMonitor.on("suspend", onAway);
  powerMonitor.on("lock-screen", onAway);
  powerMonitor.on("resume", onAwake);
  powerMonitor.on("unlock-screen", onUnlock);
}
