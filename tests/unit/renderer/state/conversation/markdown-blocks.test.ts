import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownBlocks, settleBlock } from "../../../../../renderer/state/conversation/markdown-blocks.ts";

describe("blocks of Markdown", () => {
  it("are its paragraphs, lists, code and tables", () => {
    expect(markdownBlocks("One\n\n- a\n- b\n\n```\nx\n\ny\n```\n\nEnd")).toEqual([
      "One\n\n",
      "- a\n- b\n\n",
      "```\nx\n\ny\n```\n\n",
      "End",
    ]);
  });

  // Bug: a link whose address stands in another block is shown as "[text][1]".
  it("stay one when a link is defined elsewhere", () => {
    const text = "See [it][1].\n\nMore\n\n[1]: https://example.com\n";
    expect(markdownBlocks(text)).toEqual([text]);
  });

  it("keep a formula whole, whatever its lines look like", () => {
    expect(markdownBlocks("So\n$$\n- a\n= b\n\n+ c\n$$\n\nEnd")).toEqual([
      "So\n",
      "$$\n- a\n= b\n\n+ c\n$$\n\n",
      "End",
    ]);
  });

  it("joined are the text", () => {
    const pieces = fc.constantFrom(
      "a",
      " ",
      "\n",
      "\n\n",
      "```",
      "- ",
      "| a | b |\n",
      "|-|-|\n",
      "# ",
      "> ",
      "$$",
      "$$\n",
      "**",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        expect(markdownBlocks(text).join("")).toBe(text);
      }),
    );
  });

  // Bug: finished blocks that are parsed again with every delta, until a long reply stutters.
  it("that are finished stay as they are while the text grows", () => {
    const whole = "# Title\n\nSome **bold** text.\n\n```ts\nconst a = 1;\n```\n\nLast words";
    const done = markdownBlocks(whole).slice(0, -1);
    for (const more of [" and", " and more", " and more.\n\nNew"]) {
      expect(markdownBlocks(whole + more).slice(0, done.length)).toEqual(done);
    }
  });
});

describe("a block that is still being written", () => {
  it("has its emphasis and code closed", () => {
    expect(settleBlock("some **bold te")).toBe("some **bold te**");
    expect(settleBlock("call `read")).toBe("call `read`");
  });

  it("shows the words of a link whose address is not there yet", () => {
    expect(settleBlock("see [the guide](https://exa")).toBe("see the guide");
  });

  // Bug: "| Area | Commits |" flashes as text before it turns into a table.
  it("waits with a table until its second line is there", () => {
    expect(settleBlock("| Area | Com")).toBe("");
    expect(settleBlock("| Area | Commits |\n|---")).toBe("");
    expect(settleBlock("| Area | Commits |\n|---|---|\n")).toContain("Area");
    expect(settleBlock("| not a table\nbut a line")).toContain("not a table");
  });
});
