import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const own = "tests/fixtures/conformance";
const suite = [
  "--import",
  `./${own}/older-node.mjs`,
  "node_modules/@modelcontextprotocol/conformance/dist/index.js",
];
/** Built once: read anew by every scenario, its sources would take longer than most scenarios. */
const built = "node_modules/.cache/parley/conformance";
const command = `${process.execPath} ${built}/client.js`;
const expectedFailures = `${own}/expected-failures.yml`;

/** The client scenarios of the suite: those of a dated version of the protocol are scored, drafts and extensions are not. */
const listed = execFileSync(process.execPath, [...suite, "list"], { cwd: root, encoding: "utf8" })
  .split("Client scenarios")[1]
  ?.matchAll(/^ {2}- (\S+) \[([^\]]+)\]$/gm);
const scenarios = [...(listed ?? [])].map(([, name = "", versions = ""]) => ({
  name,
  isScored: /\d{4}-/.test(versions),
}));
const scored = scenarios.filter(({ isScored }) => isScored).map(({ name }) => name);
const unscored = scenarios.filter(({ isScored }) => !isScored).map(({ name }) => name);
/** It asks for tokens of a company's identity provider, which Parley does not do. */
const unsupported = ["auth/cross-app-access-complete-flow"];

let results: string;
beforeAll(async () => {
  await build({
    ...{ configFile: false, root, logLevel: "error" },
    ssr: { noExternal: true },
    build: { ssr: `${own}/client.ts`, outDir: built, emptyOutDir: true, target: "node20" },
  });
  results = mkdtempSync(join(tmpdir(), "parley-conformance-"));
});
afterAll(() => rmSync(results, { recursive: true }));

function outcomeOf(scenario: string, client = command) {
  const args = [
    "client",
    "--command",
    client,
    "--scenario",
    scenario,
    "--expected-failures",
    expectedFailures,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...suite, ...args, "-o", results], {
    cwd: root,
    encoding: "utf8",
    timeout: 100_000,
  });
  const said = stdout + stderr;
  const failures = said.split("\n").filter((line) => /FAILURE|WARNING/.test(line));
  return { status, failures, passed: Number(/^Passed: (\d+)\//m.exec(said)?.[1] ?? 0) };
}

describe("the protocol's conformance suite", () => {
  it("has scenarios, and none is expected to fail", () => {
    expect(scored.length).toBeGreaterThanOrEqual(20);
    expect(readFileSync(join(root, expectedFailures), "utf8")).toMatch(/^client: \[\]$/m);
  });

  it.each(scored)("scored: %s", (scenario) => {
    const { status, failures, passed } = outcomeOf(scenario);
    expect({ status, failures }).toEqual({ status: 0, failures: [] });
    expect(passed).toBeGreaterThan(0);
  });

  it.each(unscored.filter((name) => !unsupported.includes(name)))("not scored: %s", (scenario) => {
    expect(outcomeOf(scenario)).toMatchObject({ status: 0, failures: [] });
  });

  it("runs the client through the command that everybody uses", () => {
    expect(outcomeOf("tools_call", "npm run -s mcp:conformance-client --")).toMatchObject({
      status: 0,
      failures: [],
    });
  });
});
