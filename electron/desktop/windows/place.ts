/** In device-independent pixels, as Electron counts. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A display that is there: what of it programs may cover. */
export interface Display {
  id: number;
  workArea: Area;
}

/** Where a window was, from the corner of its display's work area. */
export interface Offset {
  x: number;
  y: number;
}

/** So much of a window's upper edge has to be in sight for it to be got hold of. */
const leastWidthPx = 120;
const titleHeightPx = 40;

/**
 * Where the main window goes: where it was, if that can be got hold of on a display that is there now, else into the middle
 * of the first display. It is never larger than its display. Pure.
 * @param displays the first one is the system's main display
 * @param kept where it was; null: it never was
 */
export function placeMain(
  displays: readonly Display[],
  kept: Area | null,
  size: { width: number; height: number },
): Area {
  const display = kept && displays.find(({ workArea }) => canBeHeld(kept, workArea));
  if (kept && display) return within(kept, display.workArea);
  const [first] = displays;
  if (!first) return { x: 0, y: 0, ...size };
  const { workArea } = first;
  const width = Math.min(kept?.width ?? size.width, workArea.width);
  const height = Math.min(kept?.height ?? size.height, workArea.height);
  return {
    x: Math.round(workArea.x + (workArea.width - width) / 2),
    y: Math.round(workArea.y + (workArea.height - height) / 2),
    width,
    height,
  };
}

/**
 * Where the quick prompt goes on a display: where it was there, else in the middle of its upper part. At its largest it still
 * lies inside of the work area. Pure.
 * @param kept where it was on this display; null: it never was
 * @param size the largest that it can become
 */
export function placeQuick(
  { workArea }: Display,
  kept: Offset | null,
  size: { width: number; height: number },
): { x: number; y: number } {
  const usual = { x: (workArea.width - size.width) / 2, y: workArea.height / 5 };
  const { x, y } = kept ?? usual;
  const most = (room: number, taken: number, wanted: number) =>
    Math.round(Math.max(0, Math.min(wanted, room - taken)));
  return {
    x: workArea.x + most(workArea.width, size.width, x),
    y: workArea.y + most(workArea.height, size.height, y),
  };
}

/**
 * The largest that the quick prompt becomes on a display, and how much of that its page has. Pure.
 * @param zoom of its page; 1: none @param wanted in CSS pixels
 * @returns `width` and `height` as Electron counts, `cssHeight` in CSS pixels
 */
export function quickSize(
  { workArea }: Display,
  zoom: number,
  wanted: { width: number; height: number },
): { width: number; height: number; cssHeight: number } {
  const height = Math.min(Math.ceil(wanted.height * zoom), workArea.height);
  return {
    width: Math.min(Math.round(wanted.width * zoom), workArea.width),
    height,
    cssHeight: Math.floor(height / zoom),
  };
}

function canBeHeld({ x, y, width }: Area, area: Area): boolean {
  const inSight = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return (
    inSight >= Math.min(leastWidthPx, width) &&
    y >= area.y - titleHeightPx / 2 &&
    y + titleHeightPx <= area.y + area.height
  );
}

/** As it was, but no larger than the display; what hangs over an edge stays, as the user left it, if it is no wider. */
function within(kept: Area, area: Area): Area {
  return {
    x: kept.width > area.width ? area.x : kept.x,
    y: Math.max(kept.y, area.y),
    width: Math.min(kept.width, area.width),
    height: Math.min(kept.height, area.height),
  };
}
