import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
const section = text.split(/^## /m).find((part) => part.startsWith("The way of an utterance")) ?? "";
/** `path/file.ts:name`, as the page writes a place in the tree. */
const place = /`([\w./-]+\.tsx?):(\w+)`/g;
const places = (of: string) => [...of.matchAll(place)].map(([, file = "", name = ""]) => ({ file, name }));
const hops = places(section.match(/^\d+\. .*$/gm)?.join("\n") ?? "");
const shapes = places(section.match(/^- .*$/gm)?.join("\n") ?? "");

test("every name on the page stands in the tree", () => {
  const missing = places(text).filter(({ file, name }) => {
    const path = join(root, file);
    if (!existsSync(path)) return true;
    const defines = new RegExp(
      `^\\s*(?:export )?(?:abstract )?(?:async )?(?:function\\*?|class|const|interface|type) ${name}\\b`,
      "m",
    );
    return !defines.test(readFileSync(path, "utf8"));
  });
  expect(missing).toEqual([]);
});

test("an utterance goes from the microphone to `submit` in at most twenty hops and six shapes, each file once", () => {
  expect(hops.at(0)).toEqual({ file: "renderer/audio/capture-worklet.ts", name: "CaptureProcessor" });
  expect(hops.at(-1)).toEqual({ file: "electron/agent/conversation/conversation.ts", name: "Conversation" });
  expect(new Set(hops.map(({ file }) => file)).size).toBe(hops.length);
  expect(hops.length - 1).toBeLessThanOrEqual(20);
  expect(shapes.length).toBeGreaterThan(0);
  expect(shapes.length).toBeLessThanOrEqual(6);
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
  const strangers = hops.slice(1, -1).flatMap(({ file: next, name }, index) => {
    const { file = "" } = hops[index] ?? {};
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
  const [router = "", conversation = ""] = hops
    .slice(-2)
    .map(({ file }) => readFileSync(join(root, file), "utf8"));
  expect(router).toMatch(/target\.submit\(/);
  expect(conversation).toMatch(/^ {2}submit\(prompt: Prompt\)/m);
});

test("a frame goes to the echo worker and back: each of its files calls the next", () => {
  const calls = (file: string, what: RegExp) =>
    expect(readFileSync(join(root, "renderer/audio", file), "utf8")).toMatch(what);
  calls("echo-link.ts", /\.postMessage\(request/);
  calls("echo/echo-worker.ts", /echoService\(/);
  calls("echo/echo-service.ts", /new MicSelector\(.*post\(/);
  calls("echo-link.ts", /\.take\(event\.pcm/);
});
