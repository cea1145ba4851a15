import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDenied } from "../../../../electron/fence/watch/find-denied.ts";
import { findRipgrep } from "../../../../electron/tools/environment/ripgrep.ts";

const ripgrep = findRipgrep() ?? "rg";
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "denied-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
}
const find = async (globs: readonly string[], folders = ["lib"], program = ripgrep) => {
  const absolute = globs.map((glob) => (glob.startsWith("/") ? glob : `${folder}/${glob}`));
  return (await findDenied({ ripgrep: program, folder, globs: absolute }, folders))?.sort();
};

test.each<[glob: string, found: string[]]>([
  ["**/.env", ["lib/.env", "lib/a/.ENV"]],
  ["**/.env/**", ["lib/.env", "lib/a/.ENV"]],
  ["lib/a/*.{pem,key}", ["lib/a/x.KEY", "lib/a/y.pem"]],
  ["**/keys", ["lib/a/keys"]],
  ["lib/**/deep", ["lib/a/keys/deep"]],
  ["{lib/a,x}/keys/deep/c.txt", ["lib/a/keys/deep/c.txt"]],
  ["**/{keys/deep,none}", ["lib/a/keys/deep"]],
  ["**/k**c.txt", ["lib/a/keys/deep/c.txt"]],
  ["**/gr\u00f6\u00dfe.*", ["lib/gro\u0308\u00dfe.txt"]],
  ["lib/[id].txt", ["lib/[id].txt"]],
  ["lib/!x", ["lib/!x"]],
  ["lib/other", []],
  ["other/**/*", []],
  ["/elsewhere/*", []],
])("%s", async (glob, found) => {
  put("lib/.env", "lib/a/.ENV", "lib/a/x.KEY", "lib/a/y.pem", "lib/a/keys/deep/c.txt", "lib/a/keys/e");
  put("lib/gro\u0308\u00dfe.txt", "lib/[id].txt", "lib/!x", ".env");
  // What is left out by others is looked at all the same; what a link leads to lies elsewhere.
  writeFileSync(join(folder, ".gitignore"), "*\n");
  symlinkSync("../.env", join(folder, "lib/link.pem"));
  expect(await find([glob])).toEqual(found);
});

test("nobody looks where no glob may name anything", async () => {
  put("lib/.env");
  const broken = join(folder, "not there");
  expect(await find(["src/**/*.ts", "/elsewhere/**", ".env"], ["lib"], broken)).toEqual([]);
  expect(await find(["**/.env"], [], broken)).toEqual([]);
});

test("where it cannot be looked, nothing is told of it", async () => {
  put("lib/.env");
  expect(await find(["**/.env"], ["lib"], join(folder, "not there"))).toBeUndefined();
});

test("a folder that is gone by now holds nothing", async () => {
  put("lib/.env");
  expect(await find(["**/.env"], ["gone", "lib"])).toEqual(["lib/.env"]);
});
