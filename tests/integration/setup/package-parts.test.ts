import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { version } from "../../../package.json";
import { debDepends } from "../../../scripts/package/deb-depends.mjs";
import { addToFeed } from "../../../scripts/package/feed-file.mjs";
import { packageOptions } from "../../../scripts/package/options.mjs";
import { sizeLimits, sizeLine, sizeOf } from "../../../scripts/package/sizes.mjs";
import { makeTarball } from "../../../scripts/package/tarball.mjs";
import { runFile } from "../../fakes/script.ts";

const root = resolve(import.meta.dirname, "../../..");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-package-parts-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("npm run package is asked for", () => {
  test("nothing: what can be made of a folder without a network", () => {
    expect(packageOptions([], "linux")).toMatchObject({ kinds: ["dir", "tar.gz", "deb"], isRelease: false });
    expect(packageOptions(["out"], "darwin")).toMatchObject({ kinds: ["dir"], folder: "out" });
  });

  test("a release: every kind of the system", () => {
    expect(packageOptions(["--release"], "linux").kinds).toEqual(["tar.gz", "deb", "AppImage"]);
    expect(packageOptions(["--release"], "darwin").kinds).toEqual(["dmg", "zip"]);
    expect(packageOptions(["--release"], "win32").kinds).toEqual(["nsis"]);
  });

  test.each([
    [["--only", "dmg"], /"dmg" cannot be made here; dir, tar.gz, deb, AppImage can/],
    [["--feed", "http://example.test/"], /--feed wants an https address/],
    [["--wat"], /Usage: npm run package/],
    [["one", "two"], /One folder at a time/],
  ])("%j: refused in words", (words, why) => {
    expect(() => packageOptions(words, "linux")).toThrow(why);
  });
});

test("a .tar.gz unpacks into a folder of its own name, with files that are run, and that nobody else may write", async () => {
  const app = join(folder, "linux-unpacked");
  mkdirSync(join(app, "resources"), { recursive: true });
  writeFileSync(join(app, "parley"), "#!/bin/sh\necho it runs\n", { mode: 0o777 });
  writeFileSync(join(app, "resources/app.asar"), "archive", { mode: 0o600 });
  symlinkSync("parley", join(app, "link"));
  const file = await makeTarball({ app, version: "1.2.3", output: folder, isFast: true, arch: "x64" });
  expect(file).toBe(join(folder, "parley-1.2.3-linux-x64.tar.gz"));
  const lines = execFileSync("tar", ["--numeric-owner", "-tvzf", file], { encoding: "utf8" })
    .trim()
    .split("\n");
  const entries = lines.map((line) =>
    line.replace(/^(\S+)\s+(\S+).*? (parley-1\.2\.3-linux-x64\S*.*)$/, "$1 $2 $3"),
  );
  expect(entries.sort()).toEqual([
    "-rw-r--r-- 0/0 parley-1.2.3-linux-x64/resources/app.asar",
    "-rwxr-xr-x 0/0 parley-1.2.3-linux-x64/parley",
    "drwxr-xr-x 0/0 parley-1.2.3-linux-x64/",
    "drwxr-xr-x 0/0 parley-1.2.3-linux-x64/resources/",
    "lrwxr-xr-x 0/0 parley-1.2.3-linux-x64/link -> parley",
  ]);
  execFileSync("tar", ["-xzf", file, "-C", folder]);
  expect(execFileSync(join(folder, "parley-1.2.3-linux-x64/link"), { encoding: "utf8" })).toBe("it runs\n");
});

/** Runs a script of the package as dpkg does, with stand-ins for what changes the system; they write down what they were asked. */
describe("the scripts of the .deb", () => {
  let bin: string;
  let calls: string;

  beforeEach(() => {
    bin = join(folder, "bin");
    calls = join(folder, "calls");
    mkdirSync(bin);
    writeFileSync(calls, "");
    for (const name of ["chown", "chmod", "install", "rm"]) standIn(name);
  });

  const standIn = (name: string, status = 0) =>
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> "${calls}"\nexit ${status}\n`, {
      mode: 0o755,
    });
  /** @returns what was asked of the stand-ins */
  const run = (script: string, ...words: string[]): string[] => {
    const text = readFileSync(join(root, "resources/debian", script), "utf8").replaceAll(
      "/etc/apparmor.d/parley",
      join(folder, "profile"),
    );
    const { status, stderr } = spawnSync("/bin/sh", ["-s", "--", ...words], {
      input: text,
      env: { PATH: bin },
    });
    expect(`${status} ${stderr}`).toBe("0 ");
    return readFileSync(calls, "utf8").trim().split("\n").filter(Boolean);
  };
  const sandbox = ["chown root:root /opt/Parley/chrome-sandbox", "chmod 4755 /opt/Parley/chrome-sandbox"];
  const profile = "/opt/Parley/resources/apparmor-profile";

  test("installed without AppArmor: the sandbox's helper is root's, and nothing else is done", () => {
    expect(run("postinst", "configure")).toEqual(sandbox);
  });

  test("installed with one that knows the rule, and is on: the profile is put there and loaded", () => {
    standIn("apparmor_parser");
    standIn("aa-enabled");
    expect(run("postinst", "configure", "0.1.0")).toEqual([
      ...sandbox,
      `apparmor_parser --skip-kernel-load --skip-cache ${profile}`,
      `install -D -m 644 ${profile} ${join(folder, "profile")}`,
      "aa-enabled --quiet",
      `apparmor_parser --replace --write-cache --skip-read-cache ${join(folder, "profile")}`,
    ]);
  });

  test("installed with one that does not know the rule: no profile", () => {
    standIn("apparmor_parser", 1);
    expect(run("postinst", "configure")).toEqual([
      ...sandbox,
      `apparmor_parser --skip-kernel-load --skip-cache ${profile}`,
    ]);
  });

  test("with one that is off: the profile waits for the next start", () => {
    standIn("apparmor_parser");
    standIn("aa-enabled", 1);
    expect(run("postinst", "configure").at(-1)).toBe("aa-enabled --quiet");
  });

  test("removed: the profile leaves the kernel before its file goes", () => {
    standIn("apparmor_parser");
    writeFileSync(join(folder, "profile"), "");
    expect(run("prerm", "remove")).toEqual([`apparmor_parser --remove ${join(folder, "profile")}`]);
    writeFileSync(calls, "");
    expect(run("postrm", "remove")).toEqual([
      `rm -f ${join(folder, "profile")} /var/cache/apparmor/*/parley`,
    ]);
  });

  test("upgraded, or when an installation is taken back: the profile stays", () => {
    standIn("apparmor_parser");
    writeFileSync(join(folder, "profile"), "");
    expect(run("prerm", "upgrade", "0.2.0")).toEqual([]);
    expect(run("postrm", "upgrade", "0.2.0")).toEqual([]);
    expect(run("postinst", "abort-upgrade")).toEqual([]);
  });
});

describe("the size of a package", () => {
  test("above the limit of its kind ends the making, and names both", () => {
    expect(sizeLine("deb", "a.deb", 100_000_000)).toBe("a.deb: 100.0 MB (limit of deb: 150.0 MB)");
    expect(() => sizeLine("deb", "a.deb", sizeLimits.deb + 1)).toThrow(/limit of deb: 150.0 MB\): too large/);
  });

  test("made fast, it is bound by the folder's limit alone", () => {
    expect(sizeLine("deb", "a.deb", sizeLimits.deb + 1, true)).toBe("a.deb: 150.0 MB");
    expect(() => sizeLine("dir", "a", sizeLimits.dir + 1, true)).toThrow(/too large/);
  });

  test("of a folder is that of all files in it", async () => {
    mkdirSync(join(folder, "a/b"), { recursive: true });
    writeFileSync(join(folder, "a/one"), "12345");
    writeFileSync(join(folder, "a/b/two"), "123");
    expect(await sizeOf(folder)).toBe(8);
  });
});

describe.runIf(process.platform === "linux")("what a package needs of Debian", () => {
  const node = process.execPath;

  test("is what its programs are linked to, and no older glibc than they use", async () => {
    cpSync(node, join(folder, "program"));
    writeFileSync(join(folder, "text"), "no program");
    const depends = await debDepends(folder);
    expect(depends[0]).toMatch(/^libc6 \(>= 2\.\d\d\)$/);
    expect(depends).toEqual(expect.arrayContaining(["libstdc++6", "libgcc-s1", "xdg-utils"]));
  });

  test("a library that no package is known for is named, with the file that needs it", async () => {
    const bytes = readFileSync(node);
    const at = bytes.indexOf("libstdc++.so.6\0");
    bytes.write("libunheard.so.", at, "latin1");
    writeFileSync(join(folder, "program"), bytes);
    await expect(debDepends(folder)).rejects.toThrow(
      /No Debian package is known for libunheard.so., for program/,
    );
    // What is in the package itself is no need of it.
    cpSync(node, join(folder, "libunheard.so."));
    expect(await debDepends(folder)).not.toContain("libunheard");
  });
});

describe("the list of newer packages", () => {
  test("goes on with what stands there of the same version, and begins anew for another", async () => {
    const deb = join(folder, "p_1.2.3_amd64.deb");
    writeFileSync(deb, "deb");
    const list = join(folder, "latest-linux.yml");
    writeFileSync(list, "version: 1.2.3\nfiles:\n  - url: p.AppImage\n    size: 1\npath: p.AppImage\n");
    const released = "2026-01-02T03:04:05.000Z";
    await addToFeed({ file: deb, version: "1.2.3", output: folder, released });
    expect(readFileSync(list, "utf8")).toMatch(
      /^version: 1\.2\.3\nfiles:\n {2}- url: p_1\.2\.3_amd64\.deb\n {4}sha512: \S+\n {4}size: 3\n {2}- url: p\.AppImage/,
    );
    const next = join(folder, "p_1.3.0_amd64.deb");
    writeFileSync(next, "next");
    await addToFeed({ file: next, version: "1.3.0", output: folder, released });
    expect(readFileSync(list, "utf8")).not.toContain("1.2.3");
  });
});

describe("a release's files", () => {
  const names = ["deb", "tar.gz", "AppImage", "dmg", "zip", "exe"].map((kind) => `parley-${version}.${kind}`);
  const make = (each: string[]) => each.forEach((name) => void writeFileSync(join(folder, name), name));

  test("get their checksums", async () => {
    make(names);
    const { code, stderr } = await runFile("release-files.mjs", [folder, `v${version}`]);
    expect(stderr).toContain("SHA256SUMS of 6 files");
    expect(code).toBe(0);
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(sums.map((line) => line.replace(/^[0-9a-f]{64} {2}/, ""))).toEqual([...names].sort());
  });

  test.each([
    ["one made with the runtime of the tests", [`parley-${version}-dev-linux-x64.tar.gz`], "is no release"],
    ["one of another version", ["parley-0.0.9.deb"], "Not of version"],
  ])("%s: refused", async (_, extra, why) => {
    make([...names, ...extra]);
    const { code, stderr } = await runFile("release-files.mjs", [folder]);
    expect(code).toBe(1);
    expect(stderr).toContain(why);
  });

  test("a missing kind, and a tag that says another version: refused", async () => {
    make(names.slice(1));
    expect((await runFile("release-files.mjs", [folder])).stderr).toContain("There is no .deb in");
    expect((await runFile("release-files.mjs", [folder, "v9.9.9"])).stderr).toContain("The tag is v9.9.9");
  });
});
