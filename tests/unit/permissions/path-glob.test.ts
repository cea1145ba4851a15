import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { absoluteGlob, fitsGlob, holdsAny, placeOf } from "../../../electron/permissions/path-glob.ts";
import { maxGlobChars, maxPathChars } from "../../../shared/safety/globs.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-path-glob-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["src/*.ts", "/work/src/*.ts"],
  ["src/", "/work/src"],
  ["src//", "/work/src"],
  ["/src//", "/src"],
  ["/etc/**", "/etc/**"],
  ["/", "/"],
  ["~/x", `${homedir()}/x`],
  ["~", homedir()],
])("the glob %j of a folder is %j", (glob, absolute) => {
  expect(absoluteGlob(glob, "/work")).toBe(absolute);
});

test.each([
  ["/a/b", "/a/b"],
  ["/a/b/**", "/a/b"],
  ["/a/b/**/**", "/a/b"],
  ["/**", "/"],
  ["/a/**/b", null],
  ["/a/b*", null],
  ["/a/b?", null],
  ["/a/{b,c}", null],
  ["/a/b}", null],
])("the glob %j names the place %j", (glob, place) => {
  expect(placeOf(glob)).toBe(place);
});

describe("a rule that narrows", () => {
  const fits = (glob: string, path: string) => fitsGlob(glob, path, "/work", true);

  test("sees what only looks otherwise, and a folder with all below it", () => {
    expect(fits("docs/**", "/work/DOCS")).toBe(true);
    expect(fits("docs/**", "/work/docs/a/b")).toBe(true);
    expect(fits("docs", "/work/docs/a")).toBe(true);
    expect(fits("docs/**", "/work/docs2")).toBe(false);
  });

  test("meets whatever is too long to be compared, which one that widens does not", () => {
    const glob = "a".repeat(maxGlobChars);
    const path = `/work/${"b".repeat(maxPathChars - "/work/".length)}`;
    expect([fits(glob, "/work/x"), fits("x", path)]).toEqual([false, false]);
    expect([fits(`${glob}a`, "/work/x"), fits("x", `${path}b`)]).toEqual([true, true]);
    expect(fitsGlob("**", `${path}b`, "/work", false)).toBe(false);
    expect(fitsGlob("**", path, "/work", false)).toBe(true);
  });
});

test("a rule that widens takes the usual way to write a letter only", () => {
  const fits = (path: string) => fitsGlob("docs/**", path, "/work", false);
  expect([fits("/work/docs/\u00e9"), fits("/work/docs/e\u0301")]).toEqual([true, false]);
});

describe("a folder", () => {
  const holds = (glob: string) => holdsAny(glob, folder, folder);
  mkdirSync(join(folder, "a", "deep"), { recursive: true });
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "a", "deep", "Secret.txt"), "");
  writeFileSync(join(folder, "plain"), "");
  mkdirSync(join(folder, "links"));
  symlinkSync("..", join(folder, "links", "up"));

  test.each([
    ["a/deep/secret.txt", true],
    ["**/secret.txt", true],
    ["a", true],
    ["a/**", true],
    ["plain", true],
    ["b/**", false],
    ["plain/x", false],
    ["other/*", false],
    // What a link leads to lies elsewhere.
    ["links/up", true],
    ["links/up/plain", false],
    ["/elsewhere/**", false],
    ["x".repeat(maxGlobChars), false],
    ["x".repeat(maxGlobChars + 1), true],
  ])("holds something that %j names: %s", (glob, does) => {
    expect(holds(glob)).toBe(does);
  });

  test("that is none, or has a name too long to be compared, holds nothing or may hold anything", () => {
    expect(holdsAny("**/x", join(folder, "not there"), folder)).toBe(false);
    expect(holdsAny("**/x", `/${"b".repeat(maxPathChars - 1)}`, folder)).toBe(false);
    expect(holdsAny("**/x", `/${"b".repeat(maxPathChars)}`, folder)).toBe(true);
  });

  test("with more in it than can be looked through in a moment counts as holding it", () => {
    const many = join(folder, "many");
    mkdirSync(many);
    for (let at = 0; at < 5000; at++) writeFileSync(join(many, `f${at}`), "");
    expect(holdsAny("**/x", many, folder)).toBe(false);
    // Only where the glob may name something there.
    writeFileSync(join(many, "one more"), "");
    expect(holdsAny("**/x", many, folder)).toBe(true);
    expect(holdsAny("other/**/x", many, folder)).toBe(false);
  });
});
