import { join } from "node:path";
import { type NativeImage, nativeImage, screen } from "electron";
import type { TrayStateName } from "./tray-state.ts";

/** @param folder of the drawn icons @returns gives the icon of a state, in the size and colour that this system wants */
export function trayIcons(folder: string, platform: NodeJS.Platform = process.platform) {
  const made = new Map<string, NativeImage>();
  return (state: TrayStateName, isWaiting: boolean): NativeImage => {
    const name = isWaiting ? `${state}-waiting` : state;
    const file = platform === "darwin" ? `mac/${name}Template.png` : `${sizeFor(platform)}/${name}.png`;
    // Beside each there is one of twice the pixels, which Electron finds by itself.
    const image = made.get(file) ?? nativeImage.createFromPath(join(folder, file));
    made.set(file, image);
    return image;
  };
}

/** In CSS pixels. Panels on Linux get one bitmap, of twice as many pixels, and scale it: a dense screen wants more. */
function sizeFor(platform: NodeJS.Platform): 16 | 22 | 32 {
  if (platform === "win32") return 16;
  return screen.getPrimaryDisplay().scaleFactor > 1.25 ? 32 : 22;
}
