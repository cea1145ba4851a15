import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutPoint, holdsResults } from "../../../../electron/agent/context/trim.ts";
import type { ContentBlock, Message } from "../../../../shared/conversation/messages.ts";

const contents: Record<string, ContentBlock[]> = {
  prompt: [{ type: "text", text: "hello" }],
  call: [{ type: "tool_use", id: "t", name: "echo", input: {} }],
  // Also where steering stands beside them.
  result: [
    { type: "text", text: "and this" },
    { type: "tool_result", tool_use_id: "t", content: "x" },
  ],
};
const history = (...kinds: string[]) =>
  kinds.map((kind) => ({ role: "user", content: contents[kind] ?? [] }) as unknown as Message);

describe("where a history is cut", () => {
  const ended = history("prompt", "call", "result", "prompt", "call", "result", "call", "result");

  test.each([
    ["at the wanted place where nothing is torn there", 0, 3, 3],
    ["after the results rather than before their call", 0, 2, 3],
    ["before the last call where all after it is its results", 0, 7, 6],
    ["before the last call where everything was to go", 0, 99, 6],
    ["not before what is gone already", 4, 1, 4],
    ["nowhere where nothing more can go", 6, 8, 6],
  ])("%s", (_, from, wanted, at) => {
    expect(cutPoint(ended, from, wanted)).toBe(at);
  });

  test("is such that something stays and no call is parted from its results", () => {
    const group = fc.constantFrom(["prompt"], ["call", "result"], ["call", "result", "result"]);
    const groups = fc.array(group, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.nat(25), (some, wanted) => {
        const all = history(...some.flat());
        const at = cutPoint(all, 0, wanted);
        expect(at).toBeLessThan(all.length);
        expect(holdsResults(all[at])).toBe(false);
      }),
    );
  });

  test("an empty history has no place", () => {
    expect(cutPoint([], 0, 5)).toBe(0);
    expect(holdsResults(undefined)).toBe(false);
  });
});
