import { expect, test } from "vitest";
import { costText } from "../../../../shared/conversation/cost.ts";

test.each([
  [0, "1,200 tokens, $0.0000"],
  [0.00001, "1,200 tokens, under $0.0001"],
  [0.00005, "1,200 tokens, $0.0001"],
  [1.5, "1,200 tokens, $1.5000"],
  [null, "1,200 tokens, cost not known"],
])("%s dollars", (usd, words) => {
  expect(costText(1200, usd)).toBe(words);
});
