import { expect, test } from "vitest";
import {
  type CodeAnswer,
  CodeColours,
  type CodeQuestion,
  maxColouredChars,
} from "../../../../../../renderer/components/transcript/code/code-colours.ts";

/** A thread that marks all code as one keyword, and dies of the word "die". */
class Thread extends EventTarget {
  static started = 0;
  constructor() {
    super();
    Thread.started++;
  }
  postMessage({ id, code }: CodeQuestion) {
    queueMicrotask(() => {
      if (code === "die") return this.dispatchEvent(new Event("error"));
      const data: CodeAnswer = { id, marks: [`k${code.length}`] };
      return this.dispatchEvent(new MessageEvent("message", { data }));
    });
  }
  terminate() {}
}

const create = () => new CodeColours(() => new Thread() as unknown as Worker);

test("asks a thread once for what is kept", async () => {
  const colours = create();
  expect(colours.known("let", "js")).toBeUndefined();
  const marks = await colours.marks("let", "js");
  expect(marks).toEqual(["k3"]);
  colours.keep("let", "js", marks);
  expect(colours.known("let", "js")).toEqual(["k3"]);
  expect(colours.known("let", "ts")).toBeUndefined();
});

test("no language, and what is too long, stay plain without a thread", () => {
  const before = Thread.started;
  const colours = create();
  expect(colours.known("let", "")).toBeNull();
  expect(colours.known("x".repeat(maxColouredChars + 1), "js")).toBeNull();
  expect(Thread.started).toBe(before);
});

test("what a thread stumbles over stays plain, and the next block gets a new one", async () => {
  const colours = create();
  expect(await colours.marks("die", "js")).toBeNull();
  expect(await colours.marks("let", "js")).toEqual(["k3"]);
});

test("the oldest are let go", async () => {
  const colours = create();
  for (let at = 0; at <= 400; at++) colours.keep(`${at}`, "js", []);
  expect(colours.known("0", "js")).toBeUndefined();
  expect(colours.known("400", "js")).toEqual([]);
});
