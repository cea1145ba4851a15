import { expect, test } from "vitest";
import { waitingWords } from "../../../../electron/desktop/shell/waiting-words.ts";

test.each([
  [0, 0, null],
  [1, 0, "1 approval waits for you"],
  [2, 0, "2 approvals wait for you"],
  [0, 1, "1 question waits for you"],
  [0, 3, "3 questions wait for you"],
  [1, 1, "1 approval and 1 question wait for you"],
  [2, 3, "2 approvals and 3 questions wait for you"],
])("%i approvals and %i questions: %s", (approvals, questions, words) => {
  expect(waitingWords({ approvals, questions })).toBe(words);
});
