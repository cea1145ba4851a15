import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { engines, scripts } from "../../../package.json";
import { feedFileName } from "../../../scripts/package/feed-file.mjs";
import { packageOptions } from "../../../scripts/package/options.mjs";
import { signing } from "../../../scripts/package/signing.mjs";
import { fencePrograms, testPrograms } from "../../../scripts/setup/system-libraries.mjs";
import { runFile } from "../../fakes/script.ts";
import { endedRuntime } from "../../fixtures/ended-runtime.ts";

// The jobs run elsewhere. What can be read of them here is: that they name what is there, and that no system gets another one's secrets.

const root = resolve(import.meta.dirname, "../../..");
const step = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});
const workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      "runs-on": z.string(),
      needs: z.string().optional(),
      strategy: z.object({ matrix: z.object({ system: z.array(z.string()) }) }).optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(step),
    }),
  ),
});
const read = (name: string) => {
  const text = readFileSync(resolve(root, ".github/workflows", name), "utf8");
  return { text, ...workflow.parse(parse(text)) };
};
const tests = read("ci.yml");
const release = read("release.yml");
const stepsOf = ({ jobs }: typeof tests) => Object.values(jobs).flatMap(({ steps }) => steps);
const secretsIn = (text: string) => [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name ?? "");

describe.each([
  ["ci.yml", tests],
  ["release.yml", release],
])("%s", (_, file) => {
  test("may read the repository and no more, but for the job that makes the draft", () => {
    expect(file.permissions).toEqual({ contents: "read" });
    const wider = Object.entries(file.jobs).filter(([, { permissions }]) => permissions);
    expect(wider.map(([name]) => name)).toEqual(file === release ? ["release"] : []);
  });

  test("names actions by a version, scripts of package.json and files that are there", () => {
    for (const { uses, run } of stepsOf(file)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      for (const [, name = ""] of run?.matchAll(/npm run (\S+)/g) ?? [])
        expect(Object.keys(scripts)).toContain(name);
      for (const [, path = ""] of run?.matchAll(/node (scripts\/\S+)/g) ?? [])
        expect(readFileSync(resolve(root, path), "utf8")).not.toBe("");
    }
  });

  test("runs on a Node that Parley works with, and on three systems", () => {
    const versions = stepsOf(file).flatMap((each) => each.with["node-version"] ?? []);
    expect(new Set(versions)).toEqual(new Set([22]));
    expect(engines.node).toContain(">=22.");
    const strategy = Object.values(file.jobs).find((job) => job.strategy)?.strategy;
    const systems = strategy?.matrix.system.map((name) => name.replace(/-.*/, ""));
    expect(systems).toEqual(["ubuntu", "macos", "windows"]);
  });
});

// Bug: a program that the tests had come to need was installed nowhere, and without root the set-up installs none.
test.each([
  ["ci.yml", tests],
  ["release.yml", release],
])("%s installs every program that the tests use and the runner does not bring", (_, file) => {
  const installed = stepsOf(file).flatMap(({ run }) =>
    [...(run?.matchAll(/apt-get install (.*)/g) ?? [])].join(" ").split(" "),
  );
  const brought = new Set(["curl", "python3", "make"]);
  const wanted = Object.values({ ...fencePrograms, ...testPrograms }).filter((name) => !brought.has(name));
  for (const name of wanted) expect(installed).toContain(name);
});

test("the tests run whole", () => {
  expect(stepsOf(tests).map(({ run }) => run)).toContain("npm test");
});

describe("a release", () => {
  test("is made only after every part of every test, and after its package was used", () => {
    const whole = release.jobs.whole?.steps ?? [];
    expect(whole.find(({ run }) => run === "npm test")?.env).toEqual({
      PARLEY_EVERY_PART: "1",
      PARLEY_ATTACK: ".",
    });
    expect(whole.at(-1)?.run).toContain("npm run package -- --try");
    expect(release.jobs.package?.needs).toBe("whole");
    expect(release.jobs.release?.needs).toBe("package");
  });

  const making = (system: string) =>
    stepsOf(release).find((each) => each.if === `runner.os == '${system}'` && each.run?.includes("packages"));

  test("gives each system's step its own secrets, and nobody all of them", () => {
    expect(secretsIn(JSON.stringify(making("Linux")))).toEqual([]);
    const mac = secretsIn(JSON.stringify(making("macOS")?.env));
    expect(mac.sort()).toEqual([
      ...["APPLE_APP_SPECIFIC_PASSWORD", "APPLE_ID", "APPLE_TEAM_ID"],
      ...["MAC_CERTIFICATE", "MAC_CERTIFICATE_PASSWORD"],
    ]);
    const windows = secretsIn(JSON.stringify(making("Windows")?.env));
    expect(windows.sort()).toEqual(["WINDOWS_CERTIFICATE", "WINDOWS_CERTIFICATE_PASSWORD"]);
    expect(secretsIn(release.text)).toHaveLength(mac.length + windows.length);
  });

  test("uses the secrets and variables that docs/packages.md lists, and no others", () => {
    const page = readFileSync(resolve(root, "docs/packages.md"), "utf8");
    const [, table = ""] = /\| Secret or variable \|.*\|\n([\s\S]*?)\n\n/.exec(page) ?? [];
    const listed = [...table.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
    const variables = [...release.text.matchAll(/vars\.(\w+)/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...secretsIn(release.text), ...variables].sort());
  });

  test("keeps every kind that it makes, the lists for newer ones, what is in them and how they are signed", () => {
    const kept = stepsOf(release).find(({ uses }) => uses?.startsWith("actions/upload-artifact"))?.with.path;
    const endings = { nsis: "*.exe", deb: "*.deb" };
    for (const system of ["linux", "darwin", "win32"] as const) {
      for (const kind of packageOptions(["--release"], system).kinds) {
        const name = kind in endings ? endings[kind as keyof typeof endings] : `*.${kind}`;
        expect(kept).toContain(`dist/${name}\n`);
      }
    }
    // Bug: a pre-release was published without the list by which others find it.
    const lists = ["1.0.0", "1.0.0-alpha.1", "1.0.0-beta.1"].map((version) =>
      feedFileName(version).replace("-linux", "*"),
    );
    for (const name of ["*.cdx.json", "signing-*.md", ...lists]) expect(kept).toContain(`dist/${name}\n`);
  });

  test("takes the words about signing out of the files before their checksums, and into the draft", () => {
    const runs = release.jobs.release?.steps.flatMap(({ run }) => run ?? []) ?? [];
    const at = (words: string) => runs.findIndex((run) => run.includes(words));
    expect(at("signing-*.md > notes.md && rm")).toBeGreaterThan(-1);
    expect(at("release-files.mjs")).toBeGreaterThan(at("signing-*.md"));
    expect(runs.at(-1)).toMatch(/gh release create .*--draft.* --notes-file notes\.md/);
  });

  test.runIf(process.platform === "linux")(
    "with a runtime past its end of life is refused by the very step",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "parley-release-"));
      const env = { CSC_LINK: "", FEED: "", ...endedRuntime(folder) };
      const refused = await runFile("release-packages.mjs", [folder], { env });
      expect(readFileSync(join(folder, "signing-linux.md"), "utf8")).toContain("not signed");
      rmSync(folder, { recursive: true });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("A release is not made with a runtime that is past its end of life.");
    },
  );
});

describe("signing", () => {
  const certificate = { CSC_LINK: "abc", CSC_KEY_PASSWORD: "def" };
  const apple = { APPLE_ID: "a", APPLE_APP_SPECIFIC_PASSWORD: "b", APPLE_TEAM_ID: "c" };
  const none = {
    CSC_LINK: "",
    CSC_KEY_PASSWORD: "",
    APPLE_ID: "",
    APPLE_APP_SPECIFIC_PASSWORD: "",
    APPLE_TEAM_ID: "",
  };

  test("without a certificate: none is looked for, and the draft says so", () => {
    for (const system of ["darwin", "win32"] as const) {
      const { env, note } = signing({ ...none, PATH: "/bin" }, system);
      expect(env).toEqual({ PATH: "/bin", CSC_IDENTITY_AUTO_DISCOVERY: "false" });
      expect(note).toContain("**not signed**");
    }
  });

  test("with one: it is handed on; notarised where all three words for it are there", () => {
    expect(signing(certificate, "win32")).toEqual({ env: certificate, note: "- Windows: signed.\n" });
    const whole = signing({ ...certificate, ...apple }, "darwin");
    expect(whole.env).toEqual({ ...certificate, ...apple });
    expect(whole.note).toContain("signed and notarised");
    const half = signing({ ...certificate, ...apple, APPLE_TEAM_ID: "" }, "darwin");
    expect(half.env).toEqual(certificate);
    expect(half.note).toContain("**not notarised**");
  });

  test("on Linux no certificate is used, whoever gives one", () => {
    const { env, note } = signing({ ...certificate }, "linux");
    expect(env).toEqual({ CSC_IDENTITY_AUTO_DISCOVERY: "false" });
    expect(note).toContain("not signed");
  });
});
