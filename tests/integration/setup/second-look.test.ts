import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attackCameThrough, messageLostOrDoubled } from "../../../scripts/test/grave.mjs";
import { playwrightReport, type Result, runnerReport } from "../../../scripts/test/results.mjs";
import { playwrightAgain, vitestAgain } from "../../../scripts/test/runners.mjs";
import { lookAgain, mostToRunAgain } from "../../../scripts/test/second-look.mjs";
import { exitCodeOf, mostUnsteady, summaryLine, unsteadyText } from "../../../scripts/test/summary.mjs";

const root = resolve(import.meta.dirname, "../../..");

/** Lies below the checkout, so that its tests find the runners that are installed there. */
let folder: string;
beforeEach(() => {
  const cache = join(root, "node_modules/.cache/parley");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "second-look-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** True the first time that it is asked about this name in this folder. */
const firstTime = `import { existsSync, writeFileSync } from "node:fs";
const firstTime = (name) => !existsSync(name) && writeFileSync(name, "") === undefined;`;

const node = (args: string[], env: NodeJS.ProcessEnv) =>
  spawnSync(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8" });

const taken = (file: string) => {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  rmSync(file, { force: true });
  return report;
};

function vitest(options: string[] = []) {
  const file = join(folder, "report.json");
  const reporter = join(root, "scripts/test/vitest-reporter.mjs");
  const args = [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    folder,
    `--reporter=${reporter}`,
  ];
  const { status } = node([...args, ...options], { PARLEY_TEST_REPORT: file });
  return runnerReport("vitest", taken(file), status ?? 1);
}

function playwright(options: string[] = []) {
  const file = join(folder, "report.json");
  const args = [join(root, "node_modules/playwright/cli.js"), "test", "--reporter=json", ...options];
  const { status } = node(args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const report = taken(file);
  return runnerReport("playwright window", report && playwrightReport("window", report), status ?? 1);
}

const byName = (results: readonly Result[]) =>
  Object.fromEntries(results.map(({ name, state }) => [name, state]));

describe("after Vitest", () => {
  const run = async () =>
    await lookAgain(vitest().results, async (failures) => vitest(vitestAgain(failures)));

  beforeEach(() => write("vitest.config.mjs", "export default { test: { exclude: [] } };"));

  test("a test that fails once is unsteady and counts as passed, one that fails twice has failed", async () => {
    write(
      "some.test.ts",
      `${firstTime}
      import { describe, expect, test } from "vitest";
      test("right", () => {});
      test.skip("left out", () => {});
      describe("a group (of [odd] names)", () => {
        test("once > or twice", () => expect(firstTime("once")).toBe(false));
        test("once > or twice, and more", () => expect(1).toBe(2));
      });`,
    );
    const { results, unsteady } = await run();
    expect(byName(results)).toEqual({
      "some.test.ts › right": "passed",
      "some.test.ts › left out": "skipped",
      "some.test.ts › a group (of [odd] names) > once > or twice": "passed",
      "some.test.ts › a group (of [odd] names) > once > or twice, and more": "failed",
    });
    expect(summaryLine(results)).toBe("2 passed, 1 failed, 1 skipped");
    expect(unsteadyText(unsteady)).toBe(
      [
        "1 unsteady: failed, then passed when run again alone",
        "~ some.test.ts › a group (of [odd] names) > once > or twice",
        "    expected true to be false // Object.is equality",
      ].join("\n"),
    );
    expect(exitCodeOf(results, unsteady, false)).toBe(1);
  });

  test("a file that could not be loaded, lost its process or left an error behind runs again as a whole", async () => {
    const tests = `import { test } from "vitest"; test("one", () => {}); test("two", () => {});`;
    write(
      "load.test.ts",
      `${firstTime} ${tests} if (firstTime("load")) throw new Error("cannot be loaded");`,
    );
    write(
      "dies.test.ts",
      `${firstTime} ${tests}
      test("dies", async () => {
        if (!firstTime("dies")) return;
        process.kill(process.pid, "SIGKILL");
        await new Promise(() => {});
      });`,
    );
    write(
      "loose.test.ts",
      `${firstTime} ${tests}
      test("leaves one behind", async () => {
        if (firstTime("loose")) void Promise.reject(new Error("nobody waits"));
        await new Promise((resolve) => setImmediate(resolve));
      });`,
    );
    write(
      "hook.test.ts",
      `${firstTime} ${tests} import { beforeAll } from "vitest";
      beforeAll(() => { if (firstTime("hook")) throw new Error("no set-up"); });`,
    );
    const { results, unsteady } = await run();
    expect(summaryLine(results)).toBe("10 passed, 0 failed, 0 skipped");
    expect(Object.fromEntries(unsteady.map(({ name, reason }) => [name, reason]))).toEqual({
      "load.test.ts": "cannot be loaded",
      "dies.test.ts": "its process died before its tests had ended",
      "loose.test.ts": "an error that no test caught: nobody waits",
      "hook.test.ts": "no set-up",
    });
    expect(exitCodeOf(results, unsteady, false)).toBe(0);
    expect(exitCodeOf(results, unsteady, true)).toBe(1);
  });

  test("a file that can never be loaded has failed, beside others that pass", async () => {
    write("load.test.ts", "throw new Error('cannot be loaded');");
    write("right.test.ts", `import { test } from "vitest"; test("right", () => {});`);
    const { results, unsteady } = await run();
    expect(byName(results)).toEqual({ "load.test.ts": "failed", "right.test.ts › right": "passed" });
    expect(unsteady).toEqual([]);
  });
});

describe("after Playwright", () => {
  const run = async () =>
    await lookAgain(playwright().results, async (failures) =>
      playwright(playwrightAgain(failures, join(folder, "failed.json"))),
    );

  test("a worker that dies, a failure and what it kept from running are run again, and nothing else", async () => {
    write("playwright.config.mjs", `export default { testDir: ".", projects: [{ name: "window" }] };`);
    write(
      "some.spec.mjs",
      `${firstTime}
      import { expect, test } from "playwright/test";
      test("right", () => { if (!firstTime("right")) throw new Error("was run again"); });
      test("left out", () => { test.skip(true); });
      test("dies once", () => { if (firstTime("dies")) process.exit(3); });
      test("fails twice", () => expect(1).toBe(2));
      test.describe("in order", () => {
        test.describe.configure({ mode: "serial" });
        test("first", () => expect(firstTime("first"), "too early").toBe(false));
        test("then", () => {});
      });`,
    );
    const { results, unsteady } = await run();
    expect(byName(results)).toEqual({
      "some.spec.mjs › right": "passed",
      "some.spec.mjs › left out": "skipped",
      "some.spec.mjs › dies once": "passed",
      "some.spec.mjs › fails twice": "failed",
      "some.spec.mjs › in order › first": "passed",
      "some.spec.mjs › in order › then": "passed",
    });
    expect(unsteady.map(({ name, reason }) => [name, reason?.split("\n")[0]])).toEqual([
      ["some.spec.mjs › dies once", "Error: worker process exited unexpectedly (code=3, signal=null)"],
      ["some.spec.mjs › in order › first", "Error: too early"],
    ]);
  });

  test("a test that is repeated has as many results", () => {
    write("playwright.config.mjs", `export default { testDir: ".", projects: [{ name: "window" }] };`);
    write(
      "some.spec.mjs",
      `${firstTime} import { test } from "playwright/test";
      test("one", () => { if (firstTime("one")) throw new Error("fails"); });`,
    );
    const { results } = playwright(["--repeat-each=3", "--workers=1"]);
    expect(results.map(({ state }) => state)).toEqual(["failed", "passed", "passed"]);
  });

  test("what fails between the tests runs again with those that failed, and is unsteady when they pass", async () => {
    write(
      "playwright.config.mjs",
      `export default { testDir: ".", globalTeardown: "./end.mjs", projects: [{ name: "window" }] };`,
    );
    write(
      "end.mjs",
      `${firstTime} export default () => { if (firstTime("end")) throw new Error("does not end"); };`,
    );
    const spec = (body: string) =>
      write(
        "some.spec.mjs",
        `${firstTime} import { test } from "playwright/test"; test("one", () => { ${body} });`,
      );
    spec(`if (firstTime("one")) throw new Error("fails");`);
    const { results, unsteady } = await run();
    expect(byName(results)).toEqual({ "some.spec.mjs › one": "passed" });
    expect(unsteady.map(({ name }) => name)).toEqual([
      "some.spec.mjs › one",
      "playwright window, between the tests",
    ]);
    rmSync(join(folder, "end"));
    spec("");
    // No test failed that it could be looked for beside.
    expect((await run()).results).toMatchObject([{ state: "passed" }, { state: "failed" }]);
  });

  test("a file that cannot be loaded keeps all others from running: red", async () => {
    write("playwright.config.mjs", `export default { testDir: "." };`);
    write("right.spec.mjs", `import { test } from "playwright/test"; test("right", () => {});`);
    write("load.spec.mjs", "throw new Error('cannot be loaded');");
    const { results, unsteady } = await run();
    expect(results).toMatchObject([{ state: "failed", reason: "Error: cannot be loaded" }]);
    expect(exitCodeOf(results, unsteady, false)).toBe(1);
  });
});

describe("whatever the second look finds", () => {
  const failure = (name: string, reason = "not there"): Result => ({
    name,
    state: "failed",
    reason,
    again: { project: "window", file: "a.spec.ts", id: name },
  });
  const passesNow = (failures: readonly Result[]) =>
    Promise.resolve({ results: failures.map(({ name }): Result => ({ name, state: "passed" })), times: [] });
  const failures = (count: number) => Array.from({ length: count }, (_, index) => failure(`test ${index}`));

  test("one unsteady test more than allowed makes the run red", async () => {
    const allowed = await lookAgain(failures(mostUnsteady), passesNow);
    expect(allowed.unsteady).toHaveLength(mostUnsteady);
    expect(exitCodeOf(allowed.results, allowed.unsteady, false)).toBe(0);
    const more = await lookAgain(failures(mostUnsteady + 1), passesNow);
    expect(summaryLine(more.results)).toBe(`${mostUnsteady + 1} passed, 0 failed, 0 skipped`);
    expect(exitCodeOf(more.results, more.unsteady, false)).toBe(1);
  });

  test.each([attackCameThrough, messageLostOrDoubled])("stays red: %s", async (words) => {
    const { results, unsteady } = await lookAgain(
      [failure("a", `Error: ${words}\n\nExpected: []`)],
      passesNow,
    );
    expect(results).toMatchObject([{ name: "a", state: "failed" }]);
    expect(unsteady).toEqual([]);
  });

  test("a runner that ends without a report is red, the first time and the second", async () => {
    const first = runnerReport("vitest", undefined, 137);
    expect(first.results).toMatchObject([{ name: "vitest", state: "failed" }]);
    expect((await lookAgain(first.results, passesNow)).results).toEqual(first.results);
    const second = await lookAgain([failure("a")], async () => runnerReport("playwright", undefined, 1));
    expect(second.results).toMatchObject([
      { state: "failed", reason: "not there\nThe second time: it ended without a report, with exit code 1" },
    ]);
  });

  test("a test that the second run does not tell of has failed", async () => {
    const { results } = await lookAgain([failure("a")], () => passesNow([failure("b")]));
    expect(results).toMatchObject([{ name: "a", state: "failed" }]);
  });

  test("an error outside every test in the second run forgives nothing", async () => {
    const broken = async (asked: Result[]) => runnerReport("playwright", await passesNow(asked), 1);
    expect((await lookAgain([failure("a")], broken)).results).toMatchObject([{ state: "failed" }]);
  });

  test("failures by the dozen are not run again", async () => {
    const many = failures(mostToRunAgain + 1);
    const never = () => Promise.reject(new Error("was run again"));
    expect(await lookAgain(many, never)).toEqual({ results: many, unsteady: [] });
  });
});
