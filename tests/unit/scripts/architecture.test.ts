import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
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
