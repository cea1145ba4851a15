import { expect, test } from "vitest";
import { toolOutput } from "../../../../electron/mcp/tools/tool-result.ts";

// Bug: beside many blocks of text, it was written as many times, and Parley did nothing else.
test("structured content is compared as often as it needs to be, however many blocks stand beside it", () => {
  const readsBeside = (blocks: number) => {
    let reads = 0;
    const structuredContent = {
      get rows() {
        reads++;
        return [1, 2];
      },
    };
    const content = Array.from({ length: blocks }, () => ({ type: "text" as const, text: '{"rows":[1]}' }));
    toolOutput({ content, structuredContent, isError: false }, "s: t");
    return reads;
  };
  expect(readsBeside(1000)).toBe(readsBeside(1));
});
