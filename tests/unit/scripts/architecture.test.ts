import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
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

const way = sectionOf("From the microphone to a prompt");
const stages = places(way.match(/^\d+\. .*$/gm)?.join("\n") ?? "");

test("sound and words go through nineteen files, each once, as six data types", () => {
  const dataTypes = places(way.match(/^- .*$/gm)?.join("\n") ?? "");
  expect(stages.at(0)).toMatchObject({
    file: "renderer/audio/capture-worklet.ts",
    name: "CaptureProcessor",
  });
  expect(stages.at(-1)).toMatchObject({ name: "Conversation", member: "submit" });
  expect(new Set(stages.map(({ file }) => file)).size).toBe(stages.length);
  expect(stages.length).toBe(19);
  expect(dataTypes.length).toBe(6);
});

/** The files of ours that a file imports. */
function importsOf(file: string): Set<string> {
  const source = readFileSync(join(root, file), "utf8");
  const found = [...source.matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) => path.replace(/\?.*$/, ""));
  return new Set(found.map((path) => relative(root, resolve(root, dirname(file), path))));
}

/** What a stage hands on is defined in one of these, where neither stage knows the other. */
const contracts = new Set([
  "shared/voice/stt.ts",
  "electron/stt-server/audio/audio-source.ts",
  "electron/stt-server/session/sound-piece.ts",
  "electron/stt-server/session/session.ts",
]);

test("each stage knows the next, or is known by it, or both know what is handed on", () => {
  const strangers = stages.slice(1, -1).flatMap(({ file: next, name }, index) => {
    const { file = "" } = stages[index] ?? {};
    const [here, there] = [importsOf(file), importsOf(next)];
    const isJoined =
      here.has(next) || there.has(file) || [...contracts].some((one) => here.has(one) && there.has(one));
    // The log is read by way of the session that it belongs to.
    const isOfSession = [...contracts].some((one) => there.has(one) && importsOf(one).has(file));
    return isJoined || isOfSession ? [] : [`${file} → ${name}`];
  });
  expect(strangers).toEqual([]);
});

test("the router submits to a target, and the conversation takes what a target is given", () => {
  const [router = "", conversation = ""] = stages
    .slice(-2)
    .map(({ file }) => readFileSync(join(root, file), "utf8"));
  expect(router).toMatch(/target\.submit\(/);
  expect(conversation).toMatch(/^ {2}submit\(prompt: Prompt\)/m);
});

test("a frame goes to the echo worker and back: each of its files calls the next", () => {
  const calls = (file: string, what: RegExp) =>
    expect(readFileSync(join(root, "renderer/audio", file), "utf8")).toMatch(what);
  calls("echo-link.ts", /\.postMessage\(request/);
  calls("echo/echo-service.ts", /addEventListener\("message"[\s\S]*/);
  calls("echo/echo-service.ts", /post\(\{ type: "frame"/);
  calls("echo-link.ts", /\.take\(event\.pcm/);
  // From file to file: the stages, and there and back.
  expect(stages.length - 1 + 2).toBeLessThanOrEqual(20);
});
