import fc from "fast-check";
import { expect, test } from "vitest";
import { SampleClock } from "../../../../electron/stt-server/audio/sample-clock.ts";

const frameMs = 32;

test("first frames that waited do not shift what is said of the later ones", () => {
  // The first 25 frames were there at once, 800 ms late.
  const clock = new SampleClock(800);
  for (let frame = 1; frame <= 60; frame++)
    clock.arrived(frame * frameMs, Math.max(25 * frameMs, frame * frameMs));
  expect(clock.news()).toBe(0);
  expect(clock.news()).toBeNull();
});

test("a sound device whose clock is slow or fast is followed for hours", () => {
  for (const rate of [0.9998, 1.0002]) {
    const clock = new SampleClock(0);
    let told = 0;
    for (let at = frameMs; at < 2 * 3_600_000; at += frameMs) {
      clock.arrived(at * rate, at);
      told = clock.news() ?? told;
    }
    const nowMs = 2 * 3_600_000;
    expect(Math.abs(told + nowMs * rate - nowMs)).toBeLessThan(25);
  }
});

test("however late each frame is dealt with, no sample is said to be heard before it sounded", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 200 }), (delays) => {
      const clock = new SampleClock(0);
      let now = 0;
      const waits: number[] = [];
      for (const [index, delay] of delays.entries()) {
        now = Math.max(now, (index + 1) * frameMs + delay);
        clock.arrived((index + 1) * frameMs, now);
        waits.push(now - (index + 1) * frameMs);
      }
      const epoch = clock.news() ?? 0;
      expect(epoch).toBeGreaterThanOrEqual(0);
      expect(Math.abs(epoch - Math.min(...waits))).toBeLessThan(20);
    }),
  );
});
