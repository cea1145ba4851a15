import { expect, test } from "vitest";
import { showText } from "../../../electron/conversation-commands/checkpoint-text.ts";

test("a file that is too large to compare is named as such", () => {
  const checkpoint = {
    ...{ checkpointId: "c", conversationId: "a", messageId: "m", kind: "turn" as const, label: "do it" },
    ...{ createdAt: 1, files: 2 },
  };
  const text = showText(checkpoint, [
    { path: "data.csv", change: "changed", diff: null, isTooLarge: true },
    { path: "photo.png", change: "changed", diff: null },
  ]);
  expect(text.split("\n").slice(2)).toEqual([
    "- changed `data.csv` (too large to compare)",
    "- changed `photo.png`",
  ]);
});
