import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hearing } from "../../../renderer/audio/near-speech.ts";
import { TwoEars } from "../../../renderer/audio/two-ears.ts";

/** What is passed on: each frame says which it is, those behind echo cancellation by negative numbers. */
function heard(hearing: () => Hearing) {
  const passed: number[] = [];
  const indices: number[] = [];
  const listener = {
    get hearing() {
      return hearing();
    },
    cleaned: (pcm: Int16Array<ArrayBuffer>) => pcm,
  };
  const ears = new TwoEars(listener, ({ sampleIndex, pcm }) => {
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
        const { ears, passed, indices } = heard(() => "plain");
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
  let hearing: Hearing = "cancelled";
  const { ears, passed, indices } = heard(() => hearing);
  for (const frame of range(1, 11)) ears.cancelled(Int16Array.of(-frame));
  hearing = "plain";
  for (const frame of range(11, 61)) ears.cancelled(Int16Array.of(-frame));
  expect(passed).toEqual([...range(1, 11), ...range(43, 61)].map((frame) => -frame));
  expect(indices).toEqual(passed.map((_, index) => index * 512));
});

/** Both of the same moment. */
function both(ears: TwoEars, from: number, to: number): void {
  for (const frame of range(from, to)) {
    ears.cancelled(Int16Array.of(-frame));
    ears.plain(Int16Array.of(frame));
  }
}

it("holds back the cancelled sound for 512 ms, and gives the plain one of that time where it is to be heard after all", () => {
  let hearing: Hearing = "cancelled";
  const { ears, passed, indices } = heard(() => hearing);
  both(ears, 1, 11);
  hearing = "held";
  both(ears, 11, 31);
  expect(passed).toEqual(range(1, 15).map((frame) => -frame));
  hearing = "plain";
  both(ears, 31, 41);
  expect(passed).toEqual([...range(1, 15).map((frame) => -frame), ...range(15, 41)]);
  hearing = "cancelled";
  both(ears, 41, 51);
  expect(passed.slice(40)).toEqual(range(41, 51).map((frame) => -frame));
  expect(indices).toEqual(passed.map((_, index) => index * 512));
});

it("gives what it held back when there is nothing more to wait for, and at its end", () => {
  let hearing: Hearing = "held";
  const { ears, passed } = heard(() => hearing);
  both(ears, 1, 19);
  expect(passed).toHaveLength(2);
  hearing = "cancelled";
  both(ears, 19, 20);
  hearing = "held";
  both(ears, 20, 31);
  ears.end();
  expect(passed).toEqual(range(1, 31).map((frame) => -frame));
});
