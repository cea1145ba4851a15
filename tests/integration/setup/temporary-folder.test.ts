import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withPrivateHome } from "../../../scripts/test/private-home.mjs";

const root = resolve(import.meta.dirname, "../../..");

/** What is the system's temporary folder for a run of tests. */
let outer: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), "outer-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(outer, { recursive: true, force: true });
});

const withoutOurs = () => {
  const { PARLEY_TESTS_TEMPORARY: _, ...env } = process.env;
  return { ...env, TMPDIR: outer, TEMP: outer, TMP: outer };
};

test("tests that leave folders behind leave none in the system's temporary folder", () => {
  // Each of its tests makes folders and removes none.
  const file = "tests/unit/settings/secrets.test.ts";
  const { status } = spawnSync(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", file],
    {
      cwd: root,
      env: withoutOurs(),
    },
  );
  expect(status).toBe(0);
  expect(readdirSync(outer)).toEqual([]);
});

test("nor do the programs of a whole run, whatever rights their folders have", async () => {
  vi.stubEnv("TMPDIR", outer);
  await withPrivateHome(async (env: NodeJS.ProcessEnv) => {
    const left = join(env.TMPDIR ?? "", "left");
    mkdirSync(join(left, "below"), { recursive: true });
    chmodSync(left, 0o500);
    const { stdout } = spawnSync("mktemp", ["-d"], { env, encoding: "utf8" });
    expect(stdout.startsWith(env.TMPDIR ?? "nowhere")).toBe(true);
  });
  expect(readdirSync(outer)).toEqual([]);
});
