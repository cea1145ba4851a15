import { expect, test } from "vitest";
import { titleOf } from "../../../electron/agent/conversation/sessions/title.ts";

test("a title is the first line, and ends with a whole word", () => {
  expect(titleOf("  Short   one \nand more")).toBe("Short one");
  expect(titleOf("A line of words that goes on for much longer than a title")).toBe(
    "A line of words that goes on for much longer…",
  );
  expect(titleOf("x".repeat(60))).toBe(`${"x".repeat(47)}…`);
});

// Bug: the title of a prompt of emoji ended with half of one.
test.each(["😀".repeat(30), `a${"😀".repeat(30)}`])("no title ends in half a character: %s", (text) => {
  expect(titleOf(text)).not.toMatch(/\p{Cs}/u);
  expect(titleOf(text)).toMatch(/😀…$/u);
});
