import fc from "fast-check";
import { expect, it } from "vitest";
import { TwoEars } from "../../../renderer/audio/two-ears.ts";

/** What is passed on: each frame says which it is, those behind echo cancellation by negative numbers. */
function heard(isPlain: () => boolean) {
  const passed: number[] = [];
  const indices: number[] = [];
  const ears = new TwoEars(isPlain, ({ sampleIndex, pcm }) => {
    passed.push(pcm[0] ?? 0);
    indices.push(sampleIndex);
  });
  return { ears, passed, indices };
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

it("hears every plain frame once and in order while it is to be heard, however the two come in bursts", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 12 })), { maxLength: 60 }),
      (bursts) => {
        const { ears, passed, indices } = heard(() => true);
        const came = { plain: 0, cancelled: 0 };
        for (const [isPlain, wanted] of bursts) {
          const kind = isPlain ? "plain" : "cancelled";
          const other = isPlain ? came.cancelled : came.plain;
          // Both are the same microphone: neither is half a second ahead.
          for (let count = 0; count < wanted && came[kind] < other + 15; count++) {
            came[kind] += 1;
            ears[kind](Int16Array.of(isPlain ? came.plain : -came.cancelled));
          }
        }
        expect(passed).toEqual(range(1, came.plain + 1));
        expect(indices).toEqual(passed.map((_, index) => index * 512));
      },
    ),
  );
});

it("keeps the time of the cancelled sound when it changes between the two, and when the plain one breaks off", () => {
  let isPlain = false;
  const { ears, passed, indices } = heard(() => isPlain);
  for (const frame of range(1, 11)) ears.cancelled(Int16Array.of(-frame));
  isPlain = true;
  for (const frame of range(11, 61)) ears.cancelled(Int16Array.of(-frame));
  expect(passed).toEqual([...range(1, 11), ...range(43, 61)].map((frame) => -frame));
  expect(indices).toEqual(passed.map((_, index) => index * 512));
});
