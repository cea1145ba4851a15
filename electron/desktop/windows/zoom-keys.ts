import type { WebContents } from "electron";

/** What a key does to the size of everything in a window; the menu has the others. */
export type ZoomStep = "in" | "out" | "usual";

/** Electron's levels: each step is 20 %. */
const stepLevels = 0.5;
const mostLevels = 5;

/** Pure. The keys that zoom in browsers and that no menu can name: `=` beside Shift's `+`, and those of the number pad. */
export function zoomStepOf(
  input: { type: string; key: string; code: string; control: boolean; meta: boolean; alt: boolean },
  platform: NodeJS.Platform,
): ZoomStep | null {
  const isCommand = platform === "darwin" ? input.meta && !input.control : input.control && !input.meta;
  if (input.type !== "keyDown" || !isCommand || input.alt) return null;
  if (input.code === "NumpadAdd" || input.key === "=" || input.key === "+") return "in";
  if (input.code === "NumpadSubtract" || input.key === "-") return "out";
  return input.code === "Numpad0" || input.key === "0" ? "usual" : null;
}

/** Zooms by key, in this window. @param onZoom told the level that counts then */
export function zoomByKeys(contents: WebContents, onZoom: (level: number) => void): void {
  contents.on("before-input-event", (event, input) => {
    const step = zoomStepOf(input, process.platform);
    if (step === null) return;
    event.preventDefault();
    const level = steppedZoom(contents.getZoomLevel(), step);
    contents.setZoomLevel(level);
    onZoom(level);
  });
}

/** Pure. */
export function steppedZoom(level: number, step: ZoomStep): number {
  if (step === "usual") return 0;
  const next = level + (step === "in" ? stepLevels : -stepLevels);
  return Math.max(-mostLevels, Math.min(mostLevels, next));
}
