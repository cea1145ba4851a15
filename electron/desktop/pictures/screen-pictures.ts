import { desktopCapturer, type NativeImage, screen, systemPreferences } from "electron";
import { modelImageSidePx } from "../../../shared/conversation/images.ts";
import type { ScreenSource } from "../../../shared/ipc/attachment-routes.ts";

/** Of the pictures to choose from, and of the one beside a draft, in pixels. */
const previewSize = { width: 320, height: 200 };
const thumbnailHeightPx = 40;

export interface ScreenPicture {
  name: string;
  png: Uint8Array;
  thumbnail: string;
}

/** Pictures of screens and windows, taken when the user asks for one. */
export const screenPictures = {
  /** Wayland's own dialog asks the user on each call, whatever a program shows before: it alone is to ask. */
  systemAsks: (): boolean => process.platform === "linux" && process.env.XDG_SESSION_TYPE === "wayland",

  /** @throws Error in words for the user */
  async list(): Promise<ScreenSource[]> {
    const sources = await sourcesOf(["screen", "window"], previewSize);
    return sources.map(({ id, name, thumbnail }) => ({
      id,
      name,
      kind: id.startsWith("screen:") ? "screen" : "window",
      picture: thumbnail.isEmpty() ? null : thumbnail.toDataURL(),
    }));
  },

  /** A picture of one display. Where the system asks the user itself, of what they choose; null: nothing. @throws Error in words for the user */
  async takeDisplay(displayId: number): Promise<ScreenPicture | null> {
    if (this.systemAsks()) return await this.take(null);
    const sources = await sourcesOf(["screen"], previewSize);
    const source = sources.find((one) => one.display_id === String(displayId)) ?? sources[0];
    if (!source) throw new Error("There is no screen to take a picture of.");
    return await this.take(source.id);
  },

  /**
   * As large as models see it.
   * @param id null: what the user chooses in the system's dialog @returns null where they chose nothing
   * @throws Error in words for the user
   */
  async take(id: string | null): Promise<ScreenPicture | null> {
    const types: ("screen" | "window")[] =
      id === null ? ["screen", "window"] : [id.startsWith("screen:") ? "screen" : "window"];
    const sources = await sourcesOf(types, sizeToTake());
    const source = id === null ? sources[0] : sources.find((one) => one.id === id);
    if (!source && id === null) return null;
    if (!source) throw new Error("That window is closed. Choose another one.");
    if (source.thumbnail.isEmpty()) {
      throw new Error(`There is no picture of ${source.name}. It may be minimised: show it, then try again.`);
    }
    return {
      name: `${source.name.replaceAll(/[/\\]/g, " ").slice(0, 100) || "Screenshot"}.png`,
      png: source.thumbnail.toPNG(),
      thumbnail: smaller(source.thumbnail).toDataURL(),
    };
  },
};

/** @throws Error in words for the user */
async function sourcesOf(types: ("screen" | "window")[], thumbnailSize: Electron.Size) {
  if (process.platform === "darwin" && systemPreferences.getMediaAccessStatus("screen") === "denied") {
    throw new Error(
      "macOS does not let Parley see the screen. Allow it under System Settings › Privacy & Security › Screen Recording.",
    );
  }
  return await desktopCapturer.getSources({ types, thumbnailSize });
}

const smaller = (image: NativeImage) => image.resize({ height: thumbnailHeightPx });

/** No larger than a screen is: a picture is scaled up to what is asked for. */
function sizeToTake(): Electron.Size {
  const sides = screen
    .getAllDisplays()
    .map(({ size, scaleFactor }) => Math.max(size.width, size.height) * scaleFactor);
  const side = Math.round(Math.min(modelImageSidePx, Math.max(...sides)));
  return { width: side, height: side };
}
