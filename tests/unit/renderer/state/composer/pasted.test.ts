// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { isLongPaste, pastedFiles } from "../../../../../renderer/state/composer/pasted.ts";
import {
  maxAttachmentChars,
  maxPastedChars,
  maxPastedLines,
} from "../../../../../shared/conversation/attachments.ts";

describe("a paste", () => {
  it.each([
    ["a line too long", "x".repeat(maxPastedChars + 1), true],
    ["the longest line", "x".repeat(maxPastedChars), false],
    ["too many lines", "\n".repeat(maxPastedLines), true],
    ["the most lines", "\n".repeat(maxPastedLines - 1), false],
    ["more than can be attached", "x".repeat(maxAttachmentChars + 1), false],
  ])("of %s is an attachment or text", (_, text, expected) => {
    expect(isLongPaste(text)).toBe(expected);
  });

  it("of text with a picture of it is text; of files it is the files", () => {
    const data = (names: string[], text: string) => {
      const transfer = new DataTransfer();
      for (const name of names) transfer.items.add(new File(["x"], name));
      transfer.setData("text/plain", text);
      return pastedFiles(transfer).map(({ name }) => name);
    };
    expect(data(["image.png"], "A table")).toEqual([]);
    expect(data(["image.png"], "")).toEqual(["image.png"]);
    expect(data(["a.txt", "b.txt"], "/home/a.txt")).toEqual(["a.txt", "b.txt"]);
  });
});
