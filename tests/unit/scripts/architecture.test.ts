import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
const sectionOf = (title: string) => text.split(/^## /m).find((part) => part.startsWith(title)) ?? "";

interface Place {
  file: string;
  name: string;
  /** Of the class: a method or a field, `#` included. */
  member: string | undefined;
}

/** `path/file.ts:name` and `path/file.ts:Class.member`, as the page writes a place in the tree. */
const place = /`([\w./-]+\.tsx?):(\w+)(?:\.(#?\w+))?`/g;
const places = (of: string): Place[] =>
  [...of.matchAll(place)].map(([, file = "", name = "", member]) => ({ file, name, member }));

function isThere({ file, name, member }: Place): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, "utf8");
  const kinds = "(?:function\\*?|class|const|interface|type)";
  const defines = new RegExp(`^(?:export )?(?:abstract )?(?:async )?${kinds} ${name}\\b`, "m");
  const has = new RegExp(
    `^  (?:(?:readonly|async|get|static) )*\\*?${member}\\b(?:<[^(]*>)?(?: =|[(:])`,
    "m",
  );
  return defines.test(source) && (member === undefined || has.test(source));
}

test("every name on the page stands in the tree", () => {
  expect(places(text).length).toBeGreaterThan(60);
  expect(places(text).filter((one) => !isThere(one))).toEqual([]);
});

test("so does every file and every folder", () => {
  const entries = ["electron", "renderer", "shared", "scripts", "tests"].flatMap((top) => [
    top,
    ...readdirSync(join(root, top), { recursive: true, encoding: "utf8" }).map((path) =>
      join(top, path).replaceAll(sep, "/"),
    ),
  ]);
  const isKnown = (path: string) =>
    existsSync(join(root, path)) || entries.some((entry) => entry === path || entry.endsWith(`/${path}`));
  const named = [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|cjs)|(?:[\w.-]+\/)+)`/g)];
  const paths = named.map(([, path = ""]) => path.replace(/\/$/, ""));
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !isKnown(path))).toEqual([]);
});

test("what a newcomer looks for has a place each", () => {
  const rows = sectionOf("Where to find it").match(/^\| (?!You|-).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => places(row).length === 0)).toEqual([]);
});

test("sound and words go through twenty files, each once, as five data types", () => {
  const section = sectionOf("From the microphone to a prompt");
  const stages = places(section.match(/^\d+\. .*$/gm)?.join("\n") ?? "");
  const dataTypes = places(section.match(/^- .*$/gm)?.join("\n") ?? "");
  expect(stages.at(0)).toMatchObject({
    file: "renderer/audio/capture-worklet.ts",
    name: "CaptureProcessor",
  });
  expect(stages.at(-1)).toMatchObject({ name: "Conversation", member: "submit" });
  expect(new Set(stages.map(({ file }) => file)).size).toBe(stages.length);
  expect(stages.length).toBe(20);
  expect(dataTypes.length).toBe(5);
});
