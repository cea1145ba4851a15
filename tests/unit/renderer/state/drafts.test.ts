import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Drafts } from "../../../../renderer/state/drafts.ts";

let saved: [string, string][];
let drafts: Drafts;

beforeEach(() => {
  vi.useFakeTimers();
  saved = [];
  drafts = new Drafts((id, text) => saved.push([id, text]));
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a draft", () => {
  it("is kept once typing rests, not with every letter", () => {
    for (const text of ["h", "he", "hel"]) drafts.set("a", text);
    vi.advanceTimersByTime(499);
    expect(saved).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(saved).toEqual([["a", "hel"]]);
  });

  it("is kept at once when the box or the conversation is left, and once only", () => {
    drafts.set("a", "half a");
    drafts.flush("a");
    drafts.flush("a");
    vi.runAllTimers();
    expect(saved).toEqual([["a", "half a"]]);
  });

  // Bug: after a crash the prompt that had been sent stood in the box again.
  it("that was sent is gone from the store at once", () => {
    drafts.set("a", "sent");
    drafts.set("a", "");
    expect(saved).toEqual([["a", ""]]);
  });

  it("of this window wins over the stored one", () => {
    drafts.load("a", "stored");
    expect(drafts.get("a")).toBe("stored");
    drafts.set("a", "newer");
    drafts.load("a", "stored");
    expect(drafts.get("a")).toBe("newer");
  });
});
