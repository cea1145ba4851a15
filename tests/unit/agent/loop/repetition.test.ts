import { expect, test } from "vitest";
import { Repetition } from "../../../../electron/agent/loop/repetition.ts";

/** The patterns after the last round, as `length×times`. */
function patternsOf(prints: string): string[] {
  const repetition = new Repetition();
  for (const print of prints) repetition.add(print);
  return [...repetition.patterns()].map(({ length, times }) => `${length}×${times}`);
}

test.each([
  ["A", ["1×1", "2×1", "3×1"]],
  ["AB", ["1×1", "2×1", "3×1"]],
  // Equal rounds are a pattern of one, as short as the row may be.
  ["AA", ["1×2", "3×1"]],
  ["BAA", ["1×2", "3×1"]],
  ["AAA", ["1×3"]],
  ["BAAA", ["1×3"]],
  ["AAAA", ["1×4"]],
  // In the middle of a pattern there is none of its length.
  ["ABA", ["1×1", "3×1"]],
  ["ABAB", ["1×1", "2×2", "3×1"]],
  ["ABABA", ["1×1", "3×1"]],
  ["ABCAB", ["1×1", "2×1"]],
  ["ABCABC", ["1×1", "2×1", "3×2"]],
  ["AABAAB", ["1×1", "2×1", "3×2"]],
])("after %s these patterns have come to their end: %j", (prints, patterns) => {
  expect(patternsOf(prints)).toEqual(patterns);
});
