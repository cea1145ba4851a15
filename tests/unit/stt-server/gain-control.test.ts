import { expect, test } from "vitest";
import { GainControl } from "../../../shared/voice/gain-control.ts";
import { frameMs, frameSamples } from "../../../shared/voice/stt.ts";

/** A tone. @param peak 0–1 */
const tone = (peak: number) =>
  Int16Array.from({ length: frameSamples }, (_, index) => Math.round(Math.sin(index / 5) * peak * 0x7fff));
const peakOf = (pcm: Int16Array) =>
  pcm.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 0x7fff;
const frames = (ms: number) => Math.ceil(ms / frameMs);

function hear(control: GainControl, peak: number, ms: number): Int16Array {
  let last = new Int16Array(0);
  for (let count = 0; count < frames(ms); count++) last = Int16Array.from(control.apply(tone(peak)));
  return last;
}

test("soft speech is made as loud as other speech, ten times as loud at most", () => {
  const control = new GainControl();
  expect(peakOf(hear(control, 0.08, 500))).toBeCloseTo(0.6, 1);
  expect(peakOf(hear(new GainControl(), 0.01, 500))).toBeCloseTo(0.1, 2);
});

test("loud speech passes as it is, from its first sample on", () => {
  const control = new GainControl();
  hear(control, 0.005, 1000);
  const first = control.apply(tone(0.8));
  expect(peakOf(first.subarray(frameSamples / 2))).toBeCloseTo(0.8, 1);
  expect(control.apply(tone(0.8))).toEqual(tone(0.8));
});

test("after something loud it gets louder by one part in a hundred a frame", () => {
  const control = new GainControl();
  hear(control, 1, 100);
  expect(control.gain).toBe(1);
  hear(control, 0.05, 1000);
  expect(control.gain).toBeCloseTo(1.01 ** frames(1000), 5);
  hear(control, 0.05, 10_000);
  expect(peakOf(hear(control, 0.05, 100))).toBeLessThan(0.61);
});
