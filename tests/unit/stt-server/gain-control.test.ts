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
  expect(peakOf(hear(new GainControl(), 0.08, 500))).toBeCloseTo(0.3, 2);
  expect(peakOf(hear(new GainControl(), 0.01, 500))).toBeCloseTo(0.1, 2);
});

test("loud speech is no louder than other speech, from its first frame on", () => {
  const control = new GainControl();
  hear(control, 0.005, 1000);
  expect(peakOf(control.apply(tone(0.9)).subarray(frameSamples / 2))).toBeCloseTo(0.3, 2);
});

test("after something loud it gets louder by one part in a hundred a frame", () => {
  const control = new GainControl();
  hear(control, 0.6, 100);
  expect(control.gain).toBeCloseTo(0.5, 2);
  hear(control, 0.03, 1000);
  expect(control.gain).toBeCloseTo(0.5 * 1.01 ** frames(1000), 2);
  hear(control, 0.03, 12_000);
  expect(peakOf(hear(control, 0.03, 100))).toBeCloseTo(0.3, 2);
});

test("while somebody speaks it gets louder ten times as slowly: the breath after a word is no speech", () => {
  const control = new GainControl();
  control.apply(tone(0.6));
  const before = control.gain;
  for (let count = 0; count < 30; count++) control.apply(tone(0.03), true);
  expect(control.gain / before).toBeCloseTo(1.001 ** 30, 5);
});
