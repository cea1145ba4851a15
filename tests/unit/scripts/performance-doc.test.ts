import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { performanceChart, performancePage } from "../../../scripts/performance-page.mjs";
import { type Baseline, baseline, compared, summed } from "../../bench/compare/baseline.ts";

const root = join(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const kept = baseline.parse(JSON.parse(read("tests/bench/baseline.json")));

// `npm run performance-doc` writes them anew.
test("docs/performance.md and its chart are what the kept figures say", () => {
  // There are none until somebody has measured them.
  const file = "tests/bench/real-numbers.json";
  const real = existsSync(join(root, file)) ? JSON.parse(read(file)) : null;
  expect(read("docs/performance.md")).toBe(performancePage(kept, real));
  expect(read("docs/performance.svg")).toBe(performanceChart(kept));
});

test("what was measured at real numbers stands on the page", () => {
  const names = ["startMs", "openMs", "pageMs", "listMs", "searchMs", "appendMs"];
  const spreads = Object.fromEntries(
    names.map((name, index) => [name, { p50: index + 0.5, p95: index + 100 }]),
  );
  const backUp = { backUpSeconds: 9, backUpBlockedMs: 4.4, restoreSeconds: 12, backUpMb: 1280 };
  const rest = {
    messages: 1_000_000,
    sessions: 20_000,
    mainBlockedMs: 8,
    databaseMb: 1234,
    searchIndexMb: 357,
  };
  const figures = { ...spreads, ...backUp, ...rest };
  const page = performancePage(kept, { figures, computer: "two cores", date: "2026-11-24" });
  expect(page).toContain("1,000,000 messages in 20,000 conversations");
  expect(page).toContain("| 4.5 ms | 104 ms |");
  expect(page).toContain("two cores, 2026-11-24");
  expect(page).toContain(
    "Backing all of it up takes 9 s, blocks main for at most 4.4 ms and makes a file of 1,280 MB",
  );
  expect(page).not.toMatch(/undefined|NaN/);
});

test("the chart has a bar, a name and a figure for each scenario, all of them on it", () => {
  const chart = performanceChart(kept);
  for (const { title, ratio } of Object.values(kept.scenarios)) {
    expect(chart).toContain(`>${title}</text>`);
    expect(chart).toContain(`>${ratio}</text>`);
  }
  for (const [, at] of chart.matchAll(/ x[12]?="([-\d.]+)"/g)) {
    expect(Number(at)).toBeGreaterThanOrEqual(0);
    expect(Number(at)).toBeLessThanOrEqual(760);
  }
});

const one = (ratio: number, low = ratio * 0.9, high = ratio * 1.1): Baseline => ({
  ...{ date: "2026-11-24", reference: "nothing" },
  scenarios: { list: { title: "list", ratio, low, high } },
});

test("worse is what is beyond the tolerance and beyond what rounds usually differ by", () => {
  expect(compared(one(2), one(2.5))).toEqual({ lines: ["same   list: 2 → 2.5 (+25 %)"], worse: 0 });
  expect(compared(one(2), one(2.7))).toEqual({ lines: ["WORSE  list: 2 → 2.7 (+35 %)"], worse: 1 });
  expect(compared(one(2, 1, 3), one(2.7)).worse).toBe(0);
  expect(compared(one(2), one(1)).lines).toEqual(["better list: 2 → 1 (−50 %)"]);
});

test("a scenario that is new, or was not measured, is named", () => {
  const none: Baseline = { ...one(1), scenarios: {} };
  expect(compared(none, one(1)).lines).toEqual(["new    list: 1"]);
  expect(compared(one(1), none).lines).toEqual(["not measured  list"]);
});

test("rounds are summed up by their middle and by where nine of ten lie", () => {
  expect(summed(Array.from({ length: 100 }, (_, index) => index + 1))).toEqual({
    ratio: 51,
    low: 6,
    high: 96,
  });
});
