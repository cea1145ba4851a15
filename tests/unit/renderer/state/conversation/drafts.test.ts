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
  drafts = new Drafts(async (id, text, attached) =>
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

  // Bug: the prompt that a rewind gave back while another conversation was shown was not in its text box.
  it("of main is taken where this window has nothing", () => {
    drafts.load("a", "", []);
    drafts.load("a", "given back", [plan]);
    expect([drafts.get("a"), drafts.attached("a")]).toEqual(["given back", [plan]]);
    drafts.load("a", "other", []);
    expect(drafts.get("a")).toBe("given back");
    drafts.load("b", " ", [notes]);
    drafts.load("b", "other", []);
    expect(drafts.attached("b")).toEqual([notes]);
  });

  it("of main is not taken while main has not heard of what is gone here", async () => {
    let heard = () => {};
    drafts = new Drafts(() => new Promise<void>((done) => (heard = done)));
    drafts.load("a", "sent", []);
    drafts.set("a", "");
    drafts.load("a", "sent", []);
    expect(drafts.get("a")).toBe("");
    drafts.set("a", " ");
    heard();
    await vi.advanceTimersByTimeAsync(0);
    drafts.load("a", "sent", []);
    expect(drafts.get("a")).toBe(" ");
    await vi.runAllTimersAsync();
    heard();
    await vi.advanceTimersByTimeAsync(0);
    drafts.load("a", "given back", []);
    expect(drafts.get("a")).toBe("given back");
  });

  it("gets more behind what stands there, each attachment once", () => {
    drafts.attach("a", [plan]);
    drafts.add("a", "one", [plan, notes]);
    drafts.add("a", "two", [], " ");
    drafts.add("a", "three");
    expect(drafts.get("a")).toBe("one two\nthree");
    expect(drafts.attached("a")).toEqual([plan, notes]);
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
