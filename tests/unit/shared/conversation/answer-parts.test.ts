import { expect, it } from "vitest";
import { answerParts } from "../../../../shared/conversation/answer-parts.ts";

it("facts stand beside one another, what comes before and after is text", () => {
  const output = "**Title** · `1a2b3c`\n- model: claude\n- folder: `/home/ada`\n\nThat is all.";
  expect(answerParts(output)).toEqual([
    { kind: "text", text: "**Title** · `1a2b3c`" },
    {
      kind: "facts",
      rows: [
        { name: "Model", value: "claude" },
        { name: "Folder", value: "`/home/ada`" },
      ],
    },
    { kind: "text", text: "That is all." },
  ]);
});

it("what begins with a name in code or bold is a row", () => {
  const output = "- `/help`: What can be typed\n- `1a2b3c` A title · 14:20\n- **Ask first** (`ask`): Asks.";
  expect(answerParts(output)).toEqual([
    {
      kind: "rows",
      rows: [
        { name: "`/help`", value: "What can be typed" },
        { name: "`1a2b3c`", value: "A title · 14:20" },
        { name: "**Ask first** (`ask`)", value: "Asks." },
      ],
    },
  ]);
});

it("code, lists of other things and items that go on stay text", () => {
  for (const text of [
    "```text\n- a: b\n```",
    "- one thing\n- another",
    "1. `x` y",
    "- `x` y\n  goes on",
    "Done.",
  ])
    expect(answerParts(text)).toEqual([{ kind: "text", text }]);
  expect(answerParts("")).toEqual([]);
});
