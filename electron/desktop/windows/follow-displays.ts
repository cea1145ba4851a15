import { screen } from "electron";

/** A display went, or has another size or place: windows may be out of reach now. */
export function followDisplays(bringBack: () => void): void {
  screen.on("display-removed", bringBack);
  screen.on("display-metrics-changed", bringBack);
}
