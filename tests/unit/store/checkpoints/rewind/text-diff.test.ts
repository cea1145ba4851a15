import { describe, expect, test } from "vitest";
import { textDiff } from "../../../../../electron/store/checkpoints/rewind/text-diff.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a difference", () => {
  test("shows what goes and what comes, with both names", () => {
    expect(textDiff("a/b.txt", bytes("one\ntwo\n"), bytes("one\nthree\n"))).toBe(
      "--- a/b.txt\n+++ a/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three",
    );
  });

  test("of a file that comes or goes has nothing on the other side", () => {
    expect(textDiff("a", undefined, bytes("new\n"))).toBe("--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+new");
    expect(textDiff("a", bytes("old\n"), undefined)).toBe("--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-old");
  });

  test.each([
    ["holds a zero byte", new Uint8Array([97, 0, 98])],
    ["is no UTF-8", new Uint8Array([0xc3, 0x28])],
    ["is larger than what anybody reads", bytes("x".repeat(200_001))],
  ])("is not shown where one side %s", (_, other) => {
    expect(textDiff("a", other, bytes("b"))).toBeNull();
    expect(textDiff("a", bytes("b"), other)).toBeNull();
  });

  test("is shown up to that size", () => {
    expect(textDiff("a", bytes("x".repeat(200_000)), bytes("y"))).toContain("+y");
  });

  test("that takes too long to find is given up", () => {
    const lines = (seed: number) =>
      Array.from({ length: 60_000 }, (_, at) => ((at * seed) % 9973).toString(36)).join("\n");
    expect(
      textDiff("a", bytes(lines(7919).slice(0, 200_000)), bytes(lines(104_729).slice(0, 200_000))),
    ).toBeNull();
  });
});
