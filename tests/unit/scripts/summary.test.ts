import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  checkReport,
  exitCodeOf,
  failureText,
  nothing,
  playwrightReport,
  summaryLine,
  timeText,
  total,
  withExitCode,
} from "../../../scripts/test/summary.mjs";

const root = resolve(import.meta.dirname, "../../..");
const spec = (title: string, status: string, message?: string) => ({
  file: "a.spec.ts",
  title,
  tests: [{ status, results: message ? [{ error: { message } }] : [{}] }],
});
const played = {
  stats: { expected: 8, unexpected: 1, flaky: 1, skipped: 1 },
  suites: [
    {
      specs: [spec("goes", "expected")],
      suites: [
        {
          specs: [
            spec("breaks", "unexpected", "\u001b[31mno such button\u001b[39m"),
            spec("wavers", "flaky"),
          ],
        },
      ],
    },
  ],
};

let folder: string | undefined;
afterEach(() => folder && rmSync(folder, { recursive: true }));

describe("the closing lines", () => {
  test("add up checks, vitest and Playwright", () => {
    const checks = checkReport([
      { name: "types", passed: true },
      { name: "layers", passed: false },
      { name: "format", passed: true },
    ]);
    const vitest = { passed: 40, failed: 0, skipped: 3, failures: [] };
    const all = total([checks, vitest, playwrightReport(played)]);
    expect(summaryLine(all)).toBe("50 passed, 3 failed, 4 skipped");
  });

  test("name every failure with its reason, without the colours of a terminal", () => {
    const checks = checkReport([{ name: "layers", passed: false }]);
    expect(failureText(total([checks, playwrightReport(played)]))).toBe(
      [
        "✗ check: layers",
        "    see what it said above",
        "✗ a.spec.ts › breaks",
        "    no such button",
        "✗ a.spec.ts › wavers",
        "    no reason was given",
      ].join("\n"),
    );
    expect(failureText(nothing())).toBe("");
  });

  test("say where the time went, by part and by file", () => {
    const result = (ms: number) => ({
      file: "b.spec.ts",
      title: "waits",
      tests: [{ status: "expected", results: [{ duration: ms }] }],
    });
    const { times } = playwrightReport({ ...played, suites: [{ specs: [result(1_500), result(2_600)] }] });
    const all = total([
      { ...nothing(), times: [{ file: "a.test.ts", ms: 9_000 }] },
      { ...nothing(), times },
    ]);
    expect(
      timeText(
        [
          ["checks", 1_400],
          ["window", 61_000],
        ],
        all.times ?? [],
      ),
    ).toBe("Time: checks 1 s, window 61 s, in all 62 s\nSlowest files: a.test.ts 9 s, b.spec.ts 4 s");
  });

  test("count a runner that died without a report, or with no failed test in it, as a failure", () => {
    const died = withExitCode("vitest", nothing(), 1);
    expect(died).toMatchObject({ passed: 0, failed: 1, failures: [{ name: "vitest" }] });
    expect(withExitCode("vitest", { ...nothing(), passed: 3 }, 1).failed).toBe(1);
    expect(withExitCode("vitest", { ...nothing(), passed: 3, failed: 2 }, 1).failed).toBe(2);
    expect(withExitCode("vitest", { ...nothing(), passed: 3 }, 0).failed).toBe(0);
  });

  test("go with exit code 1 when something failed or nothing passed", () => {
    expect(exitCodeOf({ passed: 5, failed: 0, skipped: 3 })).toBe(0);
    expect(exitCodeOf({ passed: 5, failed: 1, skipped: 0 })).toBe(1);
    expect(exitCodeOf({ passed: 0, failed: 0, skipped: 7 })).toBe(1);
  });

  test("are told by vitest itself: tests, files that cannot be loaded, errors that no test caught", () => {
    // Below the checkout, so that its tests find the vitest that is installed there.
    const cache = join(root, "node_modules/.cache/parley");
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, "summary-"));
    writeFileSync(join(folder, "vitest.config.mjs"), "export default { test: { exclude: [] } };");
    writeFileSync(join(folder, "broken.test.ts"), "throw new Error('cannot be loaded');");
    writeFileSync(
      join(folder, "some.test.ts"),
      `import { expect, test } from "vitest";
      test("right", () => {});
      test.skip("later", () => {});
      test("wrong", () => expect(1).toBe(2));`,
    );
    writeFileSync(
      join(folder, "loose.test.ts"),
      `import { test } from "vitest";
      test("leaves one behind", async () => {
        void Promise.reject(new Error("nobody waits"));
        await new Promise((resolve) => setImmediate(resolve));
      });`,
    );
    const file = join(folder, "report.json");
    const reporter = join(root, "scripts/test/vitest-reporter.mjs");
    const args = ["run", "--root", folder, `--reporter=${reporter}`];
    spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
      env: { ...process.env, PARLEY_TEST_REPORT: file },
    });
    const told = JSON.parse(readFileSync(file, "utf8"));
    expect(told).toMatchObject({ passed: 2, failed: 3, skipped: 1 });
    expect(told.failures.map(({ reason }: { reason: string }) => reason.split("\n")[0]).sort()).toEqual([
      "cannot be loaded",
      "expected 1 to be 2 // Object.is equality",
      "nobody waits",
    ]);
  });
});
