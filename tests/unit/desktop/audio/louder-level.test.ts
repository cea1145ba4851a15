import { expect, it } from "vitest";
import { LouderLevel } from "../../../../electron/desktop/audio/louder-level.ts";

// Bug: in a meeting the meter showed the silent microphone while the others spoke.
it("the loudest of the sessions that are heard counts, whichever told last; one that ended counts no more", () => {
  let now = 0;
  const meter = new LouderLevel({ now: () => now });
  expect(meter.add(0.3, "them")).toBe(0.3);
  expect(meter.add(0.01, "me")).toBe(0.3);
  now = 100;
  expect(meter.add(0.02, "them")).toBe(0.02);
  expect(meter.add(0.2, "me")).toBe(0.2);
  now = 400;
  expect(meter.add(0.05, "them")).toBe(0.05);
});
