import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, docPages, guidePages, linksOf, placeOf, root } from "./pages.ts";

const isWeb = (target: string) => /^[a-z]+:/.test(target);
const links = docPages.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));

test("there are pages and links to look at", () => {
  expect(docPages.length).toBeGreaterThan(20);
  expect(links.length).toBeGreaterThan(100);
});

test("links within the project lead to a file that is there, and to a heading that is in it", () => {
  const broken = links
    .filter(({ target }) => !isWeb(target))
    .filter(({ page, target }) => {
      const { path, anchor } = placeOf(page, target);
      if (!existsSync(join(root, path))) return true;
      const there = docPages.find((one) => one.path === path);
      return anchor !== "" && !(there && anchorsOf(there).has(anchor));
    });
  expect(broken.map(({ page, target }) => `${page.path}: ${target}`)).toEqual([]);
});

// Bug: an address that was broken at its hyphen stood on the page with its brackets.
test("the address of a link stands on one line", () => {
  const cut = docPages.flatMap(({ path, text }) => (/\]\([^)\n]*\n/.test(text) ? [path] : []));
  expect(cut).toEqual([]);
});

test("links to the web are whole addresses, encrypted", () => {
  const odd = links.filter(
    ({ target }) => isWeb(target) && !(/^https:\/\/[\w.-]+\//.test(target) && URL.canParse(target)),
  );
  expect(odd.map(({ page, target }) => `${page.path}: ${target}`)).toEqual([]);
});

test("links and pictures say in words what they are", () => {
  const mute = links.filter(
    ({ text }) => text.trim() === "" || /^(?:here|this|link|picture|image)$/i.test(text),
  );
  expect(mute.map(({ page, target }) => `${page.path}: ${target}`)).toEqual([]);
});

test("every picture of the guide is shown on a page, and all together are small", () => {
  const folder = "docs/guide/pictures";
  const pictures = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const shown = new Set(
    links.filter(({ isPicture }) => isPicture).map(({ page, target }) => placeOf(page, target).path),
  );
  expect(pictures.length).toBeGreaterThan(10);
  expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
  const bytes = pictures.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  expect(bytes).toBeLessThan(3_000_000);
});

test("the script that makes the pictures makes each of them", () => {
  const script = readFileSync(join(root, "tests/screenshots/guide.spec.ts"), "utf8");
  const made = [...script.matchAll(/picture\(\w+, "([\w-]+)"/g)].map(([, name]) => `${name}.png`);
  expect(readdirSync(join(root, "docs/guide/pictures")).sort()).toEqual(made.sort());
});

test("every page of the guide is in its list, and the README leads there", () => {
  const targets = (path: string) =>
    links.filter(({ page }) => page.path === path).map(({ page, target }) => placeOf(page, target).path);
  const listed = targets("docs/guide/README.md");
  expect(
    guidePages
      .map(({ path }) => path)
      .filter((path) => !path.endsWith("README.md") && !listed.includes(path)),
  ).toEqual([]);
  expect(targets("README.md")).toContain("docs/guide/README.md");
});

test("the README is read in a few minutes", () => {
  expect(readFileSync(join(root, "README.md"), "utf8").split("\n").length).toBeLessThanOrEqual(160);
});
