import { expect, it } from "vitest";
import { readPathPattern } from "../../../electron/tools/path-pattern.ts";
import { ripgrepArguments } from "../../../electron/tools/search-content.ts";
import { endsInTime } from "../../fixtures/ends-in-time.ts";

const fits = (pattern: string, ...paths: string[]) =>
  paths.filter((path) => readPathPattern(pattern).fits(path));

const { signal } = new AbortController();
const search = { pattern: "x", mode: "files", limit: 1, signal, fence: null } as const;

it.each([
  ["*.ts", ["a.ts"], ["a.tsx", "src/a.ts", ".a.ts", ".ts"]],
  ["**/*.ts", ["a.ts", "src/deep/a.ts"], ["src/.a.ts", ".git/a.ts", "src/.git/a.ts", "a.js"]],
  ["src/**", ["src/a", "src/b/c.d"], ["lib/src/a", "src/.b/c"]],
  ["src/**/*.test.*", ["src/a.test.ts", "src/b/a.test.ts"], ["src/b/a.ts", "a.test.ts"]],
  ["**/a/**/b", ["a/b", "x/a/y/z/b", "a/a/b"], ["b", "a/c", "a/b/c"]],
  ["{src,lib}/**/*.{ts,tsx}", ["src/a.ts", "lib/x/b.tsx"], ["bin/a.ts", "src/a.js"]],
  ["a{b,c{d,e}}f{,g}", ["abf", "acdf", "acefg"], ["af", "abcf"]],
  ["{a/b,c}/*.md", ["a/b/x.md", "c/x.md"], ["a/x.md"]],
  ["chapter-{1..3}.md", ["chapter-2.md"], ["chapter-4.md"]],
  ["*.[ch]", ["a.c", "a.h"], ["a.o", "a.ch"]],
  ["[!a-c-]?[x\\]]", ["dex", "de]"], ["aex", "-ex", "dey"]],
  ["./src//a?.ts/", ["src/ab.ts"], ["src/a.ts"]],
  [".github/**/*.yml", [".github/a/b.yml"], [".github/.x/b.yml"]],
  ["**/.config/*", [".config/a", "x/.config/a"], ["x/config/a", ".config/.a"]],
  // Marks that mean something in other patterns are letters here.
  ["app/(group)/\\[id\\]+*.ts", ["app/(group)/[id]+x.ts"], ["app/group/i.ts"]],
  ["!a", ["!a"], ["b"]],
  ["*b.md", ["a\nb.md", "Ω😀b.md"], []],
  ["?", ["😀"], ["ab", ""]],
  ["**", ["a", "a/b"], [".a"]],
])("%s", (pattern, inside, outside) => {
  expect(fits(pattern, ...inside, ...outside)).toEqual(inside);
});

it("no pattern takes longer than its length and the path's", () => {
  const name = "playwright.screenshots.config.ts";
  const long = "a".repeat(200);
  expect(endsInTime(() => fits("*?*?*?*?*?*?*?*?*?*?*?*?_", name))).toEqual([]);
  expect(endsInTime(() => fits("*a*a*a*a*a*a*b", long))).toEqual([]);
  expect(endsInTime(() => fits(`${"{a,a}".repeat(40)}_`, long))).toEqual([]);
  expect(endsInTime(() => fits("(([a-z.]+)+)+_", name))).toEqual([]);
  expect(endsInTime(() => fits("**/a*a/".repeat(20), "aa/".repeat(1000)))).toEqual([]);
});

it("what is too much, or written in another language of patterns, is refused with what to write", () => {
  expect(() => readPathPattern("*([a-z.]|[a-z.])_")).toThrow("Write {a,b}");
  expect(() => readPathPattern("a".repeat(2001))).toThrow("at most 2000 characters");
  expect(() => readPathPattern("{a,b,c,d}".repeat(4))).toThrow("more than 200 patterns");
  for (const pattern of ["../*", ".{.,}/a", "{a,b/{..,c}}"]) {
    expect(() => readPathPattern(pattern), pattern).toThrow("cannot lead out");
  }
});

// Bug: such a pattern found nothing, and nobody said why.
it.each([
  ["!(a).ts", "has no !(…)"],
  ["src/@(a)/*.ts", "has no !(…)"],
  ["+(ab).ts", "has no !(…)"],
  ["chapter-{1..10}.md", "{1,2,3}"],
  ["{a..e..2}.md", "{1,2,3}"],
  ["[[:digit:]]*.md", "{0,1,2}"],
  ["*.ts|*.js", "{a,b}"],
])("%s is of another language of patterns, for finding files and for searching in them", (pattern, what) => {
  expect(() => readPathPattern(pattern)).toThrow(what);
  expect(() => ripgrepArguments({ ...search, glob: pattern }, "")).toThrow(what);
});

it.each(["a!\\(b)", "{a,1..10}", "[:x]", "*(1).pdf", "app/(.)x/*.ts"])("%s is not", (pattern) => {
  expect(() => readPathPattern(pattern)).not.toThrow();
  expect(() => ripgrepArguments({ ...search, glob: pattern }, "")).not.toThrow();
});

it("a range of single signs is one for ripgrep, too", () => {
  expect(ripgrepArguments({ ...search, glob: "chapter-{1..3}.md" }, "")).toContain("chapter-[1-3].md");
});

it("folders are walked through as far as the pattern can fit there", () => {
  expect(readPathPattern("{src,li?}/*.{ts,js}").walks).toEqual(["src/*", "*/*"]);
  expect(readPathPattern("src/*/**/x/*.ts").walks).toEqual(["src/*/**"]);
  expect(readPathPattern("app/(group)/a.ts").walks).toEqual(["app/*/a.ts"]);
  expect(["**/*.ts", "src/.x/*"].map((one) => readPathPattern(one).meansHidden)).toEqual([false, true]);
});
