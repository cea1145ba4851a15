import { describe, expect, it } from "vitest";
import { loudnessOf } from "../../../../../renderer/components/voice/LevelBars.tsx";
import { latestLine, toolSummary } from "../../../../../renderer/state/conversation/tool-summary.ts";
import {
  duration,
  originLabel,
  voiceLabel,
  wholeSeconds,
} from "../../../../../renderer/state/conversation/wording.ts";
import { voiceOn } from "../../voice-snapshot.ts";

describe("wording", () => {
  it.each([
    [0.4, "0 ms"],
    [9, "9 ms"],
    [1400, "1.4 s"],
    [9960, "10 s"],
    [59_600, "1 min 0 s"],
    [125_000, "2 min 5 s"],
  ])("a duration of %d ms reads %s", (ms, said) => {
    expect(duration(ms)).toBe(said);
  });

  it("a clock that was set back does not count below zero", () => {
    expect(wholeSeconds(-5000)).toBe("0 s");
  });

  it("says that words from the computer's sound are not the user's", () => {
    expect(originLabel("voice", "loopback")).toBe("Heard on this computer");
    expect(originLabel("voice", "microphone")).toBe("Spoken");
    expect(voiceLabel(voiceOn({ state: "hearing", source: "loopback" }))).not.toContain("you");
  });
});

describe("a tool's one line", () => {
  it("is its only argument, or all with their names", () => {
    expect(toolSummary({ path: "docs" })).toBe("docs");
    expect(toolSummary({ agent: "x", rounds: 5 })).toBe("agent: x · rounds: 5");
    // Bug: the text that an edit replaces pushes the file's name out of sight.
    expect(toolSummary({ old_string: "x", path: "a.txt", new_string: "y" })).toBe("a.txt");
    expect(toolSummary({ timeout_ms: 5, command: "ls -l" })).toBe("ls -l");
    expect(toolSummary({})).toBe("");
  });

  // Bug: a model that sends nonsense must not take the window down.
  it.each([[null], [undefined], ["text"], [[1, 2]], [{ a: { b: [1] } }], [42]])("copes with %j", (input) => {
    expect(toolSummary(input)).not.toContain("\n");
  });

  it("stays one short line", () => {
    const line = toolSummary({ text: "many\nlines ".repeat(1000) });
    expect(line.length).toBeLessThanOrEqual(140);
    expect(line).not.toContain("\n");
  });
});

describe("the level", () => {
  it("is on the ear's scale, and silence is nothing", () => {
    expect(loudnessOf(0)).toBe(0);
    expect(loudnessOf(Number.NaN)).toBe(0);
    expect(loudnessOf(0.03)).toBeGreaterThan(0.5);
    expect(loudnessOf(1)).toBe(1);
  });
});

it("a running tool's latest line is the last one that says something", () => {
  expect(latestLine("")).toBe("");
  expect(latestLine("1 of 3\n2 of 3\n")).toBe("2 of 3");
  expect(latestLine("10 %\r20 %\r")).toBe("20 %");
  expect(latestLine(`first\n${"y".repeat(100_000)}`)).toMatch(/^y{139}…$/);
});
