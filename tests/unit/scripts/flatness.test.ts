import { expect, test } from "vitest";
import { growing, type Sample, slopeOf } from "../../soak/all/flatness.ts";

const still: Omit<Sample, "actions"> = {
  handles: 90,
  processes: 12,
  mainHeapMb: 40,
  windowHeapMb: 20,
  memoryMb: 900,
  temporaryFiles: 3,
  databaseKbPerMessage: 20,
};
/** So many samples, six actions apart. */
const samples = (count: number, at: (index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: count }, (_, index) => ({ ...still, actions: 6 * (index + 1), ...at(index) }));

test("what stands still, or swings around a value, is flat; so is what only fills at the start", () => {
  expect(growing(samples(20, () => ({})))).toEqual([]);
  expect(growing(samples(20, (index) => ({ handles: 90 + 25 * (index % 2) })))).toEqual([]);
  expect(growing(samples(20, (index) => ({ mainHeapMb: 40 + 30 * Math.min(index, 4) })))).toEqual([]);
  // One odd moment moves no slope.
  expect(growing(samples(20, (index) => ({ processes: index === 19 ? 60 : 12 })))).toEqual([]);
});

test("what grows with the actions is named, with its slope and its limit", () => {
  const leaking = samples(20, (index) => ({ handles: 90 + 3 * index }));
  expect(slopeOf(leaking, "handles")).toBeCloseTo(50, 0);
  expect(growing(leaking)).toEqual([
    expect.stringMatching(/^handles grows by 50\.0 in a hundred actions, more than 10: 105/),
  ]);
  expect(growing(samples(20, (index) => ({ temporaryFiles: 2 * index })))).toHaveLength(1);
  expect(growing(samples(20, (index) => ({ mainHeapMb: 40 + 2 * index })))).toHaveLength(1);
});

test("memory is judged on long runs alone, and above what comes and goes", () => {
  const leaking = (count: number) => samples(count, (index) => ({ memoryMb: 900 + 25 * index }));
  // A quarter of them is the start.
  expect(growing(leaking(26))).toEqual([]);
  expect(growing(leaking(28))).toEqual([
    expect.stringMatching(/^memoryMb grows by 416\.7 in a hundred actions, more than 100: 1075/),
  ]);
  expect(growing(samples(28, (index) => ({ memoryMb: 900 + 300 * (index % 3) })))).toEqual([]);
  expect(growing(samples(28, (index) => ({ memoryMb: 900 + 12 * index })))).toEqual([]);
});

test("too short a run claims nothing", () => {
  expect(growing(samples(3, (index) => ({ handles: 90 + 1000 * index })))).toEqual([]);
  expect(growing([])).toEqual([]);
});
