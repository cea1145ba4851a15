import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Drafts } from "../../../../../renderer/state/conversation/drafts.ts";
import type { AttachmentChoice } from "../../../../../shared/conversation/attachments.ts";

let saved: [string, string, ...string[]][];
let drafts: Drafts;
const file = (name: string): AttachmentChoice => ({ reference: name, label: name, detail: "file" });
const [plan, notes] = [file("plan.md"), file("notes.txt")];

beforeEach(() => {
  vi.useFakeTimers();
  saved = [];
  drafts = new Drafts((id, text, attached) =>
    saved.push([id, text, ...attached.map(({ reference }) => reference)]),
  );
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
    drafts.load("a", "stored", []);
    expect(drafts.get("a")).toBe("stored");
    drafts.set("a", "newer");
    drafts.load("a", "stored", []);
    expect(drafts.get("a")).toBe("newer");
  });

  it("has what is attached, which is kept at once and with the text", () => {
    drafts.load("a", "stored", [plan]);
    expect(drafts.attached("a")).toEqual([plan]);
    expect(drafts.attached("b")).toEqual([]);
    drafts.set("a", "newer");
    drafts.attach("a", [plan, notes]);
    expect(saved).toEqual([["a", "newer", "plan.md", "notes.txt"]]);
    drafts.attach("a", []);
    expect(saved.at(-1)).toEqual(["a", "newer"]);
    vi.runAllTimers();
    expect(saved).toHaveLength(2);
  });

  it("that looks like a key is kept without its text", () => {
    drafts.set("a", "/key set ANTHROPIC_API_KEY sk-ant-api03-abcdefghijklmnop");
    drafts.attach("a", [plan]);
    expect(saved).toEqual([["a", "", "plan.md"]]);
  });
});
