import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const renderer = join(import.meta.dirname, "../../../renderer");
const files = readdirSync(renderer, { recursive: true, encoding: "utf8" }).map((name) =>
  join(renderer, name),
);
const modules = files.filter((name) => name.endsWith(".module.css"));

/** The class names that a CSS module defines. */
function classesOf(path: string): Set<string> {
  const css = readFileSync(path, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/:global\([^)]*\)/g, "");
  const selectors = [...css.matchAll(/([^{}]+)\{/g)].map(([, selector = ""]) => selector);
  return new Set(
    selectors.flatMap((one) => [...one.matchAll(/\.([A-Za-z]\w*)/g)].map(([, name = ""]) => name)),
  );
}

/** By module: what components ask of it; `any` where the name is only known when it runs. */
const asked = new Map<string, { names: Set<string>; any: boolean }>();
for (const file of files.filter((name) => name.endsWith(".tsx"))) {
  const source = readFileSync(file, "utf8");
  for (const [, local = "", path = ""] of source.matchAll(/import (\w+) from "([^"]+\.module\.css)";/g)) {
    const module = join(dirname(file), path);
    const use = asked.get(module) ?? { names: new Set(), any: false };
    for (const [, name = ""] of source.matchAll(new RegExp(`\\b${local}\\.([A-Za-z]\\w*)(?!\\w*")`, "g")))
      use.names.add(name);
    use.any ||= source.includes(`${local}[`);
    asked.set(module, use);
  }
}

test("only tokens and base are styles of the whole page", () => {
  const global = files.filter((name) => name.endsWith(".css") && !name.endsWith(".module.css"));
  expect(global.map((name) => name.slice(renderer.length + 1)).sort()).toEqual([
    "styles/base.css",
    "styles/tokens.css",
  ]);
});

test.each(modules.map((module) => [module.slice(renderer.length + 1), module]))(
  "%s: each of its classes is used, and each that is used is there",
  (_, module) => {
    const { names, any } = asked.get(module) ?? { names: new Set(), any: false };
    const classes = classesOf(module);
    expect([...names].filter((name) => !classes.has(name))).toEqual([]);
    if (!any) expect([...classes].filter((name) => !names.has(name))).toEqual([]);
  },
);
