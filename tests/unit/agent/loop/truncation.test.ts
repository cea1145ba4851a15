import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limitsFor, truncate } from "../../../../electron/agent/loop/truncation.ts";
import { defaultSettings, defaultToolOutputLimits } from "../../../../shared/settings.ts";

const loneSurrogate = /\p{Surrogate}/u;
const from = { tool: "shell", toolUseId: "toolu_1" };
const hint = '(To read the rest: read_tool_output with tool_use_id "toolu_1")';

describe("truncate", () => {
  test("leaves alone what fits, and everything where the limits are 0", () => {
    const abc = { text: "abc", shown: 3, total: 3 };
    expect(truncate("abc", { maxChars: 3, maxLines: 1 }, from)).toEqual(abc);
    expect(truncate("x\n".repeat(1000), { maxChars: 0, maxLines: 0 }, from).text).toHaveLength(2000);
    expect(truncate("x".repeat(1000), { maxChars: 1000, maxLines: 0 }, from).shown).toBe(1000);
    // A line break at the end begins no line.
    expect(truncate("a\nb\n", { maxChars: 0, maxLines: 2 }, from).text).toBe("a\nb\n");
  });

  test("keeps head and tail, marks the cut, says how to read the rest and in its last line how much is shown", () => {
    const whole = `HEAD${"x".repeat(120_000)}TAIL`;
    const { text, shown } = truncate(whole, { maxChars: 30_000, maxLines: 0 }, from);
    const lines = text.split("\n");
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.length).toBeGreaterThan(29_990);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^HEADx/);
    expect(lines[1]).toBe("...");
    expect(lines[2]).toMatch(/xTAIL$/);
    expect(lines[3]).toBe(hint);
    const grouped = shown.toLocaleString("en-US");
    expect(lines[4]).toBe(`[OUTPUT TRUNCATED: Showing ${grouped} of 120,008 characters from shell]`);
  });

  test("cuts lines after characters, and its own lines count", () => {
    const whole = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join("\n");
    const lines = truncate(whole, { maxChars: 0, maxLines: 10 }, from).text.split("\n");
    expect(lines.slice(0, 8)).toEqual([
      "line 0",
      "line 1",
      "line 2",
      "line 3",
      "...",
      "line 997",
      "line 998",
      "line 999",
    ]);
    expect(lines).toHaveLength(10);

    // However long a line is, it is one.
    for (const length of [5000, 50_000]) {
      const uneven = ["x".repeat(length), ...whole.split("\n")].join("\n");
      const [longest, ...others] = truncate(uneven, { maxChars: 0, maxLines: 10 }, from).text.split("\n");
      expect([longest?.length, others[2], others[3], others[6]]).toEqual([
        length,
        "line 2",
        "...",
        "line 999",
      ]);
    }

    // Two lines of ten megabytes are within any limit of lines: characters come first.
    const wide = `${"a".repeat(5_000_000)}\n${"b".repeat(5_000_000)}`;
    expect(truncate(wide, { maxChars: 1000, maxLines: 256 }, from).text.length).toBeLessThanOrEqual(1000);
  });

  test("cuts the lines of both ends where characters were cut, and a side of few lines leaves its room to the other", () => {
    const limits = { maxChars: 1000, maxLines: 10 };
    const sides = (whole: string) => {
      const lines = truncate(whole, limits, from).text.split("\n");
      expect(lines).toHaveLength(10);
      const at = lines.indexOf("...");
      return [lines.slice(0, at), lines.slice(at + 1, -2)];
    };
    const many = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
    const few = "x".repeat(5000);
    const first = (count: number) => many.slice(0, count);
    const last = (count: number) => many.slice(-count);
    expect(sides(many.join("\n"))).toEqual([first(4), last(3)]);
    expect(sides(`${many.join("\n")}\n`)).toEqual([first(4), last(3)]);
    expect(sides([few, ...many].join("\n"))).toEqual([[expect.stringMatching(/^x+$/)], last(6)]);
    expect(sides([...many, few].join("\n"))).toEqual([first(6), [expect.stringMatching(/^x+$/)]]);
  });

  test("keeps the lines of both ends where they fit", () => {
    const whole = `top\nnext\n${"x".repeat(5000)}\nlast but one\nlast\n`;
    const { text } = truncate(whole, { maxChars: 1000, maxLines: 9 }, from);
    const fitting = /^top\nnext\nx+\n\.\.\.\nx+\nlast but one\nlast\n\(To read/;
    expect(text).toMatch(fitting);
    expect(truncate(whole, { maxChars: 1000, maxLines: 8 }, from).text).not.toMatch(fitting);
  });

  test("is the plain beginning where there is no room for more", () => {
    const limits = { maxChars: 20, maxLines: 2 };
    expect(truncate("one\ntwo\nthree", limits, from)).toEqual({ text: "one\ntwo", shown: 7, total: 13 });
    expect(truncate("x".repeat(100), { ...limits, maxLines: 0 }, from).text).toBe("x".repeat(20));
    expect(truncate("a\nb\nc", { ...limits, maxChars: 0 }, from).text).toBe("a\nb");
    // With three lines there is room for one of them; the advice is what goes first.
    const three = truncate("a\nb\nc\nd", { maxChars: 0, maxLines: 3 }, from).text.split("\n");
    expect(three).toEqual(["a", "...", "[OUTPUT TRUNCATED: Showing 1 of 7 characters from shell]"]);
  });

  test("has at least one unit of each end, or the head alone where the tail would be half a character", () => {
    const mark = "\n[OUTPUT TRUNCATED: Showing 100 of 100 characters from shell]";
    const within = (text: string, room: number) =>
      truncate(text, { maxChars: "\n...\n".length + mark.length + room, maxLines: 4 }, from).text.split("\n");
    const last = (shown: number) => `[OUTPUT TRUNCATED: Showing ${shown} of 100 characters from shell]`;
    expect(within(`a${"x".repeat(98)}z`, 2)).toEqual(["a", "...", "z", last(2)]);
    expect(within(`\nb${"x".repeat(96)}😀`, 3)).toEqual(["", "b", "...", last(2)]);
  });

  test("never exceeds its limits, never tears a character, and counts what it shows", () => {
    const text = fc.string({ unit: "binary", maxLength: 2000 });
    const manyLines = fc
      .array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 80 })
      .map((lines) => lines.join("\n"));
    const limit = (most: number) => fc.integer({ min: 0, max: most });
    fc.assert(
      fc.property(fc.oneof(text, manyLines), limit(1500), limit(60), (original, maxChars, maxLines) => {
        const { text, shown, total } = truncate(original, { maxChars, maxLines }, from);
        const lines = (of: string) => of.replace(/\n$/, "").split("\n");
        if (maxChars > 0) expect(text.length).toBeLessThanOrEqual(maxChars);
        if (maxLines > 0) expect(lines(text).length).toBeLessThanOrEqual(maxLines);
        expect(total).toBe(original.length);
        expect(shown).toBeLessThanOrEqual(total);
        if (!loneSurrogate.test(original)) expect(text).not.toMatch(loneSurrogate);

        const fits =
          (maxChars === 0 || total <= maxChars) && (maxLines === 0 || lines(original).length <= maxLines);
        const cutAt = text.lastIndexOf("\n...");
        const isMarked = text.endsWith(" characters from shell]") && cutAt >= 0 && !fits;
        if (fits) expect(text).toBe(original);
        else if (!isMarked) expect(original.startsWith(text)).toBe(true);
        else {
          const kept = text.slice(0, cutAt);
          const tail = text
            .slice(cutAt + "\n...".length)
            .replace(/(\n\(To read the rest.*\))?\n\[OUTPUT TRUNCATED.*\]$/, "")
            .replace(/^\n/, "");
          expect(original.startsWith(kept)).toBe(true);
          // A line break at the very end begins no line, in either.
          const whole = original.replace(/\n$/, "");
          expect(whole.endsWith(tail) || whole.endsWith(tail.replace(/\n$/, ""))).toBe(true);
          expect(shown).toBe(kept.length + tail.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("limitsFor", () => {
  const settings = defaultSettings;
  test("is the shipped table's, or the general one; every limit of the table counts", () => {
    expect(limitsFor("calculate", settings)).toEqual({ maxChars: 40_000, maxLines: 0 });
    expect(limitsFor("shell", settings)).toEqual({ maxChars: 30_000, maxLines: 256 });
    for (const [name, maxChars] of Object.entries(defaultToolOutputLimits)) {
      expect(limitsFor(name, settings).maxChars, name).toBe(maxChars);
    }
    expect(limitsFor("read_file", settings).maxChars).toBe(50_000);
    // The report of a sub-agent comes through `wait`; starting one answers with a line.
    expect(limitsFor("wait", settings).maxChars).toBe(20_000);
    expect(defaultToolOutputLimits).not.toHaveProperty("spawn_agent");
    expect(limitsFor("read_file", { ...settings, maxToolResultChars: 1000 }).maxChars).toBe(1000);
    expect(limitsFor("read_file", { ...settings, maxToolResultChars: 45_000 }).maxChars).toBe(50_000);
    expect(limitsFor("shell", { ...settings, maxToolResultChars: 0 }).maxChars).toBe(30_000);
    expect(limitsFor("calculate", { ...settings, maxToolResultChars: 0 }).maxChars).toBe(0);
    // What the user set for a tool stands, however low the general limit.
    const own = { toolOutputLimits: { read_file: 5000 }, maxToolResultChars: 1000 };
    expect(limitsFor("read_file", { ...settings, ...own }).maxChars).toBe(5000);
  });

  test("is the general one for a name that a model made up, also one that every object has", () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect(limitsFor(name, settings), name).toEqual(limitsFor("calculate", settings));
    }
  });

  test("is what the user set for this very tool, also when that is more or no limit", () => {
    const toolOutputLimits = { read_file: 90_000, calculate: 0 };
    expect(limitsFor("read_file", { ...settings, toolOutputLimits }).maxChars).toBe(90_000);
    expect(limitsFor("calculate", { ...settings, toolOutputLimits }).maxChars).toBe(0);
  });
});
