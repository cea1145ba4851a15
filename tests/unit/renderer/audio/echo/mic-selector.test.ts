import fc from "fast-check";
import { expect, it } from "vitest";
import { type HeardFrame, MicSelector } from "../../../../../renderer/audio/echo/mic-selector.ts";
import type { MicPath } from "../../../../../renderer/audio/echo/near-speech.ts";

/** What is passed on: each frame says which it is, those behind echo cancellation by negative numbers. */
function heard(path: () => MicPath) {
  const passed: number[] = [];
  const listener = {
    get path() {
      return path();
    },
    cleaned: (pcm: Int16Array<ArrayBuffer>) => pcm,
  };
  const settled: number[] = [];
  const take = (frames: readonly HeardFrame[]) => {
    passed.push(...frames.map(({ pcm }) => pcm[0] ?? 0));
    settled.push(...frames.map((frame) => frame.settled));
  };
  const made = new MicSelector(listener);
  const selector = {
    aec: (pcm: Int16Array<ArrayBuffer>) => take(made.aec(pcm)),
    raw: (pcm: Int16Array<ArrayBuffer>) => take(made.raw(pcm)),
    end: () => take(made.end()),
  };
  return { selector, passed, settled };
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

it("hears every raw frame once and in order while it is to be heard, however the two come in bursts", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 12 })), { maxLength: 60 }),
      (bursts) => {
        const { selector, passed, settled } = heard(() => "raw");
        const came = { raw: 0, aec: 0 };
        for (const [isRaw, wanted] of bursts) {
          const kind = isRaw ? "raw" : "aec";
          const other = isRaw ? came.aec : came.raw;
          // Both are the same microphone: neither is half a second ahead.
          for (let count = 0; count < wanted && came[kind] < other + 15; count++) {
            came[kind] += 1;
            selector[kind](Int16Array.of(isRaw ? came.raw : -came.aec));
          }
        }
        expect(passed).toEqual(range(1, came.raw + 1));
        expect(settled).toEqual(passed.map(Math.abs));
      },
    ),
  );
});

it("keeps the time of the sound behind echo cancellation when it changes between the two, and when the raw one breaks off", () => {
  let path: MicPath = "aec";
  const { selector, passed, settled } = heard(() => path);
  for (const frame of range(1, 11)) selector.aec(Int16Array.of(-frame));
  path = "raw";
  for (const frame of range(11, 61)) selector.aec(Int16Array.of(-frame));
  expect(passed).toEqual([...range(1, 11), ...range(43, 61)].map((frame) => -frame));
  expect(settled).toEqual(passed.map(Math.abs));
});

/** Both of the same moment. */
function both(selector: ReturnType<typeof heard>["selector"], from: number, to: number): void {
  for (const frame of range(from, to)) {
    selector.aec(Int16Array.of(-frame));
    selector.raw(Int16Array.of(frame));
  }
}

it("holds back the sound behind echo cancellation for 512 ms, and gives the raw one of that time where it is to be heard after all", () => {
  let path: MicPath = "aec";
  const { selector, passed, settled } = heard(() => path);
  both(selector, 1, 11);
  path = "delayed";
  both(selector, 11, 31);
  expect(passed).toEqual(range(1, 15).map((frame) => -frame));
  path = "raw";
  both(selector, 31, 41);
  expect(passed).toEqual([...range(1, 15).map((frame) => -frame), ...range(15, 41)]);
  path = "aec";
  both(selector, 41, 51);
  expect(passed.slice(40)).toEqual(range(41, 51).map((frame) => -frame));
  expect(settled).toEqual(passed.map(Math.abs));
});

it("gives what it held back when there is nothing more to wait for, and at its end", () => {
  let path: MicPath = "delayed";
  const { selector, passed } = heard(() => path);
  both(selector, 1, 19);
  expect(passed).toHaveLength(2);
  path = "aec";
  both(selector, 19, 20);
  path = "delayed";
  both(selector, 20, 31);
  selector.end();
  expect(passed).toEqual(range(1, 31).map((frame) => -frame));
});

it("lets the raw sound be no more than half a second ahead of the time", () => {
  const { selector, passed } = heard(() => "raw");
  for (let n = 1; n <= 40; n++) selector.raw(Int16Array.of(n));
  expect(passed).toEqual(range(1, 17));
  selector.aec(Int16Array.of(-1));
  selector.raw(Int16Array.of(41));
  expect(passed.at(-1)).toBe(41);
});
