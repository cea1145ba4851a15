import { expect, test } from "vitest";
import { LevelMeter } from "../../../../electron/stt-server/audio/level-meter.ts";
import { FakeClock } from "../../../fakes/clock.ts";

test("tells the level of all since the last reading, at most 15 times a second", () => {
  const clock = new FakeClock();
  const meter = new LevelMeter(clock);
  const half = new Int16Array(160).fill(16_384);
  expect(meter.add(half)).toBe(0.5);
  let told = 0;
  for (let ms = 0; ms < 1000; ms += 10) {
    clock.advance(10);
    if (meter.add(half) !== null) told++;
  }
  expect(told).toBeGreaterThan(12);
  expect(told).toBeLessThanOrEqual(15);
  clock.advance(1000);
  meter.add(half);
  meter.add(new Int16Array(160));
  clock.advance(1000);
  expect(meter.add(new Int16Array(160))).toBe(0);
});
