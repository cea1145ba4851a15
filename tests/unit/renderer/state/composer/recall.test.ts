import { describe, expect, it } from "vitest";
import { askedIn, Recall } from "../../../../../renderer/state/composer/recall.ts";

const prompts = ["one", "two", "two", "three"];

describe("recalling what was asked", () => {
  it("goes up from an empty box, stays at the oldest, and comes down to the empty box", () => {
    const recall = new Recall();
    const up = ["", "three", "two", "one"].map((text) => recall.older(text, prompts));
    expect(up).toEqual(["three", "two", "one", "one"]);
    const down = ["one", "two", "three", ""].map((text) => recall.newer(text));
    expect(down).toEqual(["two", "three", "", null]);
  });

  it("leaves a draft alone, and what was recalled and then changed", () => {
    const recall = new Recall();
    expect(recall.older("a draft", prompts)).toBeNull();
    expect(recall.older("", prompts)).toBe("three");
    expect(recall.older("three more", prompts)).toBeNull();
    expect(recall.newer("three more")).toBeNull();
    expect(recall.older("", [])).toBeNull();
  });

  it("knows commands, and no line that may hold a key or was somebody else's", () => {
    const said = { kind: "user" as const, origin: "typed" as const, at: 0 };
    const line = { kind: "command" as const, output: "", isError: false, at: 0 };
    const items = [
      { ...said, key: "1", text: "hello", source: null },
      { ...said, key: "2", text: "theirs", origin: "voice" as const, source: "loopback" as const },
      { ...line, key: "3", line: "/help" },
      { ...line, key: "4", line: "/key set anthropic sk-1" },
    ];
    expect(askedIn(items)).toEqual(["hello", "/help"]);
  });
});
