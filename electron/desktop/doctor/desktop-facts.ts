import { globalShortcut, nativeImage, Tray } from "electron";
import { hasTrayHost } from "./tray-host.ts";

/** Takes a shortcut of the whole system and gives it back. @returns whether it was given */
export function tryShortcut(accelerator: string): boolean {
  if (globalShortcut.isRegistered(accelerator)) return true;
  const wasGiven = globalShortcut.register(accelerator, () => {});
  if (wasGiven) globalShortcut.unregister(accelerator);
  return wasGiven;
}

/** Whether something shows tray icons; null where that cannot be told. @param icon of the tray, by its path */
export async function hasTray(icon: string, signal: AbortSignal): Promise<boolean | null> {
  if (process.platform === "linux") return await hasTrayHost(process.env, signal);
  const tray = new Tray(nativeImage.createFromPath(icon));
  try {
    return tray.getBounds().width > 0;
  } finally {
    tray.destroy();
  }
}
