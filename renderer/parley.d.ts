import type { ParleyBridge } from "../shared/ipc/ipc.ts";

declare global {
  interface Window {
    /** Put there by the preload script, before any of our scripts run. */
    readonly parley: ParleyBridge;
  }
}
