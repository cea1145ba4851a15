import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { truncate } from "../../../electron/agent/truncation.ts";

const loneSurrogate = /\p{Surrogate}/u;

describe("truncate", () => {
  test("leaves alone what fits, and everything where the limit is 0", () => {
    expect(truncate("abc", 3, "shell")).toEqual({ text: "abc", shown: 3, total: 3 });
    expect(truncate("x".repeat(1000), 0, "shell").text).toHaveLength(1000);
  });

  test("keeps head and tail, marks the cut and says in its last line how much is shown", () => {
    const { text, shown } = truncate(`HEAD${"x".repeat(120_000)}TAIL`, 30_000, "shell");
    const lines = text.split("\n");
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(lines[0]).toMatch(/^HEADx/);
    expect(lines[1]).toBe("...");
    expect(lines[2]).toMatch(/xTAIL$/);
    const grouped = shown.toLocaleString("en-US");
    expect(lines[3]).toBe(`[OUTPUT TRUNCATED: Showing ${grouped} of 120,008 characters from shell]`);
  });

  test("never exceeds its limit, never tears a character, and counts what it shows", () => {
    const text = fc.string({ unit: "binary", maxLength: 2000 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 1500 }), (original, limit) => {
        const { text, shown, total } = truncate(original, limit, "read_file");
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(total).toBe(original.length);
        if (!loneSurrogate.test(original)) expect(text).not.toMatch(loneSurrogate);
        const marked = text.includes("[OUTPUT TRUNCATED:");
        if (marked) expect(original.length).toBeGreaterThan(limit);
        if (!marked) expect(original.startsWith(text)).toBe(true);
        expect(shown).toBeLessThanOrEqual(total);
      }),
    );
  });
});
