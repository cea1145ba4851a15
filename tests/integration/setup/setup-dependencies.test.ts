import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { integrityOf, NpmRegistry } from "../../fakes/net/npm-registry.ts";
import { tarball } from "../../fakes/net/packages.ts";
import { runScript } from "../../fakes/script.ts";

let home: string;
let clone: string;
let registry: NpmRegistry;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "parley-dependencies-"));
  clone = join(home, "clone");
  mkdirSync(clone);
  registry = await NpmRegistry.start();
  publish("one");
  publish("two");
  lock("one");
});

afterEach(async () => {
  await registry.stop();
  rmSync(home, { recursive: true, force: true });
});

describe("packages", () => {
  test("are installed once, and then need no request and no npm", async () => {
    const first = await install();
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/^parley: installing packages.*\nparley: packages ░+ 0 %\n/);
    expect(isThere("one")).toBe(true);

    const before = registry.requests;
    expect(await install()).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(registry.requests).toBe(before);
  });

  test("are installed again when the lock file asks for others", async () => {
    await install();
    lock("two");
    expect((await install()).code).toBe(0);
    expect([isThere("one"), isThere("two")]).toEqual([false, true]);
  });

  test("are installed again when the lock file asks for other bytes under the same version", async () => {
    await install();
    tarballs.set("one", tarball({ "package.json": '{"name":"one","version":"1.0.0","other":true}' }));
    publish("one");
    lock("one");
    expect((await install()).code).toBe(0);
    expect(readFileSync(join(clone, "node_modules/one/package.json"), "utf8")).toContain("other");
    tarballs.delete("one");
  });

  test("are installed again after an install that died before npm wrote its record", async () => {
    await install();
    rmSync(join(clone, "node_modules/.package-lock.json"));
    rmSync(join(clone, "node_modules/one/package.json"));
    expect((await install()).code).toBe(0);
    expect(isThere("one")).toBe(true);
  });

  test("on a broken network: one clear message, exit code 1, and the next try recovers", async () => {
    const failed = await install({ npm_config_registry: "http://127.0.0.1:1/" });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("npm cannot reach its registry");
    expect(failed.stderr).not.toContain("    at ");
    expect((await install()).code).toBe(0);
  });

  test("with a wrong checksum are refused, and the next try recovers", async () => {
    registry.publish("one", tarball({ "package.json": '{"name":"one","version":"1.0.0","changed":true}' }));
    const failed = await install();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("EINTEGRITY");
    publish("one");
    expect((await install()).code).toBe(0);
  });

  test("that are optional may be missing", async () => {
    await install();
    const path = join(clone, "package-lock.json");
    const content = JSON.parse(readFileSync(path, "utf8"));
    content.packages["node_modules/elsewhere"] = { version: "1.0.0", optional: true, os: ["haiku"] };
    writeFileSync(path, JSON.stringify(content));
    expect(await install()).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

test("the lock file names every platform's package, as npm ci demands", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const named = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
  const missing: string[] = [];
  for (const entry of Object.values<{ optionalDependencies?: Record<string, string> }>(packages)) {
    missing.push(...Object.keys(entry.optionalDependencies ?? {}).filter((name) => !named.has(name)));
  }
  expect(missing).toEqual([]);
});

// Made once a name, so that publishing it again serves the same bytes: a tarball holds the time it was made.
const tarballs = new Map<string, Buffer>();

function packageTarball(name: string): Buffer {
  const known = tarballs.get(name) ?? tarball({ "package.json": JSON.stringify({ name, version: "1.0.0" }) });
  tarballs.set(name, known);
  return known;
}

function publish(name: string): void {
  registry.publish(name, packageTarball(name));
}

function lock(name: string): void {
  const about = { name: "clone", version: "1.0.0", dependencies: { [name]: "1.0.0" } };
  const integrity = integrityOf(packageTarball(name));
  writeFileSync(join(clone, "package.json"), JSON.stringify(about));
  writeFileSync(
    join(clone, "package-lock.json"),
    JSON.stringify({
      name: "clone",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: { "": about, [`node_modules/${name}`]: { version: "1.0.0", integrity } },
    }),
  );
}

function isThere(name: string): boolean {
  return existsSync(join(clone, "node_modules", name, "package.json"));
}

function install(env: Record<string, string> = {}) {
  const source = `
    import { dependencies } from "scripts/setup/dependencies.mjs";
    import { orExit } from "scripts/setup/say.mjs";
    await orExit(() => dependencies(process.env.CLONE));
  `;
  return runScript(source, {
    env: {
      HOME: home,
      CLONE: clone,
      npm_config_cache: join(home, "npm-cache"),
      npm_config_registry: registry.url,
      npm_config_update_notifier: "false",
      ...env,
    },
  });
}
