import { describe, expect, it } from "vitest";
import { placeMain, placeQuick, quickSize } from "../../../../electron/desktop/windows/place.ts";

const laptop = { id: 1, workArea: { x: 0, y: 30, width: 1440, height: 870 } };
const right = { id: 2, workArea: { x: 1440, y: 0, width: 1920, height: 1080 } };
const usual = { width: 1180, height: 800 };

describe("the main window", () => {
  it("is in the middle of the main display at first", () => {
    expect(placeMain([laptop, right], null, usual)).toEqual({ x: 130, y: 65, width: 1180, height: 800 });
  });

  it("is where it was, on the second display too", () => {
    const kept = { x: 1700, y: 100, width: 900, height: 700 };
    expect(placeMain([laptop, right], kept, usual)).toEqual(kept);
  });

  it("comes to the main display, in its size, when its own went away", () => {
    const kept = { x: 1700, y: 100, width: 900, height: 700 };
    expect(placeMain([laptop], kept, usual)).toEqual({ x: 270, y: 115, width: 900, height: 700 });
  });

  it("is no larger than the display that is there now", () => {
    const kept = { x: 1500, y: 10, width: 1900, height: 1060 };
    expect(placeMain([laptop], kept, usual)).toEqual({ x: 0, y: 30, width: 1440, height: 870 });
    expect(placeMain([{ id: 3, workArea: { x: 0, y: 0, width: 800, height: 600 } }], null, usual)).toEqual({
      x: 0,
      y: 0,
      width: 800,
      height: 600,
    });
  });

  // Bug: it lay where all but a few pixels of it was on the display that was gone.
  it("is in sight where it spanned two displays, and only the right one is left", () => {
    const spanning = { x: -1400, y: 100, width: 2600, height: 700 };
    expect(placeMain([laptop], spanning, usual)).toEqual({ x: 0, y: 100, width: 1440, height: 700 });
  });

  it("may hang over an edge, as long as its upper edge can be got hold of", () => {
    const hanging = { x: -900, y: 200, width: 1180, height: 800 };
    expect(placeMain([laptop], hanging, usual)).toEqual(hanging);
    expect(placeMain([laptop], { ...hanging, x: -1100 }, usual)).toMatchObject({ x: 130 });
    expect(placeMain([laptop], { ...hanging, x: 0, y: -300 }, usual)).toMatchObject({ y: 65 });
    expect(placeMain([laptop], { ...hanging, x: 0, y: 890 }, usual)).toMatchObject({ y: 65 });
  });
});

describe("the quick prompt", () => {
  const size = { width: 680, height: 420 };

  it("is in the upper middle of the display that it is asked for on", () => {
    expect(placeQuick(laptop, null, size)).toEqual({ x: 380, y: 204 });
    expect(placeQuick(right, null, size)).toEqual({ x: 2060, y: 216 });
  });

  it("is where it was on that display", () => {
    expect(placeQuick(right, { x: 20, y: 500 }, size)).toEqual({ x: 1460, y: 500 });
  });

  it("is whole inside of a display that is smaller now, at its largest", () => {
    const small = { id: 2, workArea: { x: 0, y: 0, width: 800, height: 600 } };
    expect(placeQuick(small, { x: 1200, y: 600 }, size)).toEqual({ x: 120, y: 180 });
    const tiny = { id: 2, workArea: { x: 0, y: 0, width: 600, height: 400 } };
    expect(placeQuick(tiny, null, size)).toEqual({ x: 0, y: 0 });
  });

  it("grows with the zoom of its page, until the display has no more room", () => {
    const wanted = { width: 680, height: 420 };
    expect(quickSize(laptop, 1, wanted)).toEqual({ width: 680, height: 420, cssHeight: 420 });
    expect(quickSize(laptop, 1.5, wanted)).toEqual({ width: 1020, height: 630, cssHeight: 420 });
    expect(quickSize(laptop, 3, wanted)).toEqual({ width: 1440, height: 870, cssHeight: 290 });
  });
});
