import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Read before the first window is made: so without a library of schemas or files, which would take longer than the window.

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How windows stood when they were last seen. */
export interface KeptWindows {
  main: { area: Area; isMaximised: boolean } | null;
  /** As Electron counts: 0 is 100 %, each step 20 % more. */
  zoomLevel: number;
  /** Of the quick prompt, by the display's id. */
  quick: Record<string, { x: number; y: number }>;
}

export interface WindowKeeping {
  read(): KeptWindows;
  /** Keeps what is given; the rest stays. Where the file cannot be written nothing is kept: a window must close all the same. */
  keep(values: Partial<KeptWindows>): void;
}

/** `windows.json` in the user-data folder; what of it cannot be read counts as never seen. */
export function openWindowKeeping(folder: string): WindowKeeping {
  const path = join(folder, "windows.json");
  const read = () => keptIn(contentOf(path));
  return {
    read,
    keep: (values) => {
      const next = `${path}.new`;
      try {
        writeFileSync(next, JSON.stringify({ ...read(), ...values }, null, "\t"));
        // At once: whoever reads meanwhile finds the old file or the new one.
        renameSync(next, path);
      } catch {
        // Whatever else is kept in that folder says so.
      }
    },
  };
}

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Pure. */
function keptIn(content: unknown): KeptWindows {
  const kept = fieldsOf(content);
  const { zoomLevel } = kept;
  const quick = Object.entries(fieldsOf(kept.quick)).map(([id, place]) => [id, fieldsOf(place)] as const);
  const isZoom = typeof zoomLevel === "number" && Math.abs(zoomLevel) <= 9;
  return {
    main: mainIn(kept.main),
    zoomLevel: isZoom ? zoomLevel : 0,
    quick: Object.fromEntries(
      quick.flatMap(([id, { x, y }]) => (isPlace(x) && isPlace(y) ? [[id, { x, y }]] : [])),
    ),
  };
}

function mainIn(content: unknown): KeptWindows["main"] {
  const { area, isMaximised } = fieldsOf(content);
  const { x, y, width, height } = fieldsOf(area);
  const isWhole = isPlace(x) && isPlace(y) && isSize(width) && isSize(height);
  return isWhole && typeof isMaximised === "boolean" ? { area: { x, y, width, height }, isMaximised } : null;
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** In pixels of the desktop. */
const isPlace = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 100_000;
const isSize = (value: unknown): value is number => isPlace(value) && value >= 1;
