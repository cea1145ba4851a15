import { describe, expect, it } from "vitest";
import { type AnnouncedFacts, Announcements } from "../../../../renderer/state/announcements.ts";
import { emptyView, type TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { voiceIn } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceOn } from "../voice-snapshot.ts";

const openedAt = 1000;
const view = { ...emptyView("a", "A"), voice: voiceIn(null, "a") };
const facts: AnnouncedFacts = { view, replies: "sentences", elsewhere: [], trust: null };

/** What is told after the conversation was opened with these items. */
function opened(...items: TranscriptItem[]) {
  const announcements = new Announcements(() => openedAt);
  const show = (changes: Partial<typeof view>, more: Partial<AnnouncedFacts> = {}) =>
    announcements.take({ ...facts, ...more, view: { ...view, items, ...changes } });
  return { first: show({}), show, texts: (...args: Parameters<typeof show>) => textsOf(show(...args)) };
}
const textsOf = (told: ReturnType<Announcements["take"]>) => told.map(({ text }) => text);

const user = (key: string, origin: "typed" | "voice" = "typed"): TranscriptItem => ({
  ...{ kind: "user", key, text: "Hi", origin, at: openedAt + 1 },
  source: origin === "voice" ? "microphone" : null,
});
const reply = (
  key: string,
  text: string,
  more: { streaming?: boolean; at?: number } = {},
): TranscriptItem => ({
  ...{ kind: "assistant", key, text, streaming: false, interrupted: false, at: openedAt + 2 },
  ...more,
});
const approval = (key: string, at = openedAt + 3): TranscriptItem => ({
  ...{ kind: "approval", key, toolUseId: "t", name: "shell", effect: "execute", detail: "reboot" },
  ...{ status: "waiting", reason: null, at },
});

describe("a reply", () => {
  // Bug: `## Part one … **bold** … | A | B |`, cut at 600 characters.
  it("is told sentence by sentence while it streams, as plain text and without an end", () => {
    const { texts } = opened();
    expect(texts({ state: "processing", runs: 1, items: [user("u")] })).toEqual(["Working"]);
    const told = (text: string, streaming = true) =>
      texts({ state: "processing", runs: 1, items: [user("u"), reply("m", text, { streaming })] });
    expect(told("## Part one\n\nSome **bold")).toEqual(["Part one"]);
    expect(told("## Part one\n\nSome **bold** words. And")).toEqual(["Some bold words."]);
    const long = `## Part one\n\nSome **bold** words. And ${"more ".repeat(300)}.`;
    const rest = told(`${long}\n\n| A | B |\n|---|---|\n| 1 | 2 |`, false).join(" ");
    expect(rest).toMatch(/^And (more ){5}/);
    expect(rest).toContain("A: 1, B: 2.");
    expect(rest.match(/more/g)).toHaveLength(300);
    expect(texts({ runs: 1, items: [user("u"), reply("m", long)] })).toEqual(["Reply finished"]);
  });

  // Bug: a run that began and ended between two pictures of the window was told without its beginning and its end.
  it("has its beginning and its end told around it, however many events a picture takes up", () => {
    const whole = ["Working", "It is noon.", "Reply finished"];
    const items = [user("u"), reply("m", "It is noon.")];
    expect(opened().texts({ runs: 1, items })).toEqual(whole);
    const bySteps = opened();
    const steps = [
      { state: "processing", items: [] },
      { state: "processing", runs: 1, items: [] },
      { state: "processing", runs: 1, items: items.slice(0, 1) },
      { state: "processing", runs: 1, items },
      { runs: 1, items },
      { runs: 1, items },
    ] as const;
    expect(steps.flatMap((step) => bySteps.texts({ ...step, items: [...step.items] }))).toEqual(whole);
  });

  it("is finished before the next run begins, also where one picture shows both", () => {
    const first = [user("u"), reply("m", "It is no", { streaming: true })];
    const then = [user("u"), reply("m", "It is noon."), user("v"), reply("n", "So it is.")];
    const { texts } = opened();
    expect(texts({ state: "processing", runs: 1, items: first })).toEqual(["Working"]);
    expect(texts({ state: "processing", runs: 2, items: then })).toEqual([
      ...["It is noon.", "Reply finished", "Working", "So it is."],
    ]);
    expect(texts({ runs: 2, items: then })).toEqual(["Reply finished"]);
  });

  it("that failed is not called finished", () => {
    const error = { kind: "error", key: "e", canRetry: true, at: openedAt + 5 } as const;
    const failed = { ...error, error: { code: "x", message: "No connection." } };
    const { texts } = opened();
    expect(texts({ runs: 1, items: [user("u"), failed] })).toEqual(["Working", "Error: No connection."]);
    expect(texts({ state: "processing", runs: 2, items: [user("u")] })).toEqual(["Working"]);
  });

  it("is told as a whole at its end, or not at all, where that is wanted", () => {
    for (const replies of ["whole", "off"] as const) {
      const { texts } = opened();
      const told = (text: string, streaming: boolean) =>
        texts({ items: [reply("m", text, { streaming })] }, { replies });
      expect(told("One. Two. Thr", true)).toEqual([]);
      expect(told("One. Two. Three.", false)).toEqual(replies === "whole" ? ["One. Two. Three."] : []);
    }
  });

  // Bug: the last reply was read again whenever its conversation was opened.
  it("is not told when its conversation is opened, nor when an older page or another branch comes", () => {
    const { first, texts } = opened(reply("m", "It is noon.", { at: 5 }));
    expect(first).toEqual([]);
    expect(
      texts({ items: [reply("k", "Earlier.", { at: 4 }), reply("m", "It is noon.", { at: 5 })] }),
    ).toEqual([]);
    expect(texts({ conversationId: "b", items: [reply("n", "Elsewhere.")] })).toEqual([]);
    expect(texts({ conversationId: "a", items: [reply("m", "It is noon.", { at: 5 })] })).toEqual([]);
  });

  it("is told when its conversation is opened after it was asked for, as the quick prompt does", () => {
    const announcements = new Announcements();
    const items = [reply("m", "Earlier.", { at: 5 }), reply("n", "It is noon.")];
    const told = announcements.take({ ...facts, view: { ...view, items }, since: openedAt });
    expect(textsOf(told)).toEqual(["It is noon."]);
  });

  it("that streams when its conversation is opened is told from there on", () => {
    const { texts } = opened(reply("m", "One. Two. Th", { streaming: true, at: 5 }));
    expect(texts({ items: [reply("m", "One. Two. Three. Four.", { at: 5 })] })).toEqual(["Three.", "Four."]);
  });

  it("is not told where Parley itself says it aloud", () => {
    const { texts } = opened();
    const voice = { ...view.voice, isAnsweredAloud: true };
    const items = [user("u", "voice")];
    expect(texts({ state: "processing", runs: 1, items, voice })).toEqual(["Working"]);
    items.push(reply("m", "It is noon.", { streaming: true }), user("steered"));
    expect(texts({ state: "processing", runs: 1, items, voice })).toEqual([]);
    // The end of the run may be known before its last reply.
    expect(texts({ runs: 1, items: [...items, reply("n", "It is one.")] })).toEqual(["Reply finished"]);
    expect(texts({ runs: 2, items: [...items, user("v"), reply("o", "It is two.")] })).toContain(
      "It is two.",
    );
  });

  // Bug: what Parley no longer said aloud, since somebody began to dictate, was not told either.
  it("is told from where Parley stopped saying it aloud", () => {
    const { texts } = opened();
    const voice = { ...view.voice, isAnsweredAloud: true };
    const items = (text: string) => [user("u", "voice"), reply("m", text, { streaming: true })];
    texts({ state: "processing", runs: 1, items: items("One. Tw"), voice });
    expect(texts({ state: "processing", runs: 1, items: items("One. Two. Th") })).toEqual(["Two."]);
  });

  it("is not told while it is being said", () => {
    const speech = { conversationId: "a", messageId: "m", state: "speaking" } as never;
    const { texts } = opened();
    expect(
      texts({ items: [user("u"), reply("m", "It is noon.")], voice: { ...view.voice, speech } }),
    ).toEqual([]);
  });
});

describe("what waits and what failed", () => {
  it("is told at once, also where it waited before the conversation was opened", () => {
    const { first, show } = opened(approval("p", 5));
    const told = { text: "Needs approval: Run this command? reboot", isUrgent: true };
    expect(first).toEqual([told]);
    const error = { kind: "error", key: "e", canRetry: true, at: openedAt + 5 } as const;
    const failed = { ...error, error: { code: "x", message: "No connection.", hint: "Try later." } };
    expect(show({ items: [approval("p", 5), failed] })).toEqual([
      { text: "Error: No connection. Try later.", isUrgent: true },
    ]);
    expect(show({ items: [approval("p", 5), failed, approval("q")] })).toEqual([told]);
  });

  // Bug: a screen reader said “backtick”.
  it("is told without the backticks that mark code", () => {
    const { texts } = opened();
    const error = { code: "x", message: "Voice is on already.", hint: "`/voice stop` ends it." };
    expect(texts({ items: [{ kind: "error", key: "e", canRetry: false, at: openedAt + 5, error }] })).toEqual(
      ["Error: Voice is on already. /voice stop ends it."],
    );
    const detail = { code: "x", message: "It takes `on` or `off`." };
    const voice = {
      now: { state: "failed", isTesting: false, conversationId: "a", detail } as const,
      speech: null,
    };
    expect(texts({ voice })).toEqual([expect.stringContaining("It takes on or off.")]);
  });

  it("names the files of a change and how much of them, not its diff", () => {
    const diff = "--- notes.txt\n+++ notes.txt\n@@ -1,1 +1,1 @@\n-two\n+2\n";
    const { texts } = opened();
    expect(
      texts({ items: [{ ...approval("p"), effect: "write", detail: diff, diff } as TranscriptItem] }),
    ).toEqual(["Needs approval: Make this change? notes.txt: 1 line added, 1 removed."]);
  });

  it("is told of a question with its answers, and of other conversations by their titles", () => {
    const question = { kind: "question", key: "q", question: "Which one?", status: "waiting" } as const;
    const options = [{ label: "This" }, { label: "That" }];
    const { texts } = opened();
    expect(texts({ items: [{ ...question, options, answer: null, at: openedAt }] })).toEqual([
      "Parley asks: Which one? 1: This. 2: That.",
    ]);
    const elsewhere = [{ conversationId: "b", title: "Taxes" }];
    expect(texts({}, { elsewhere })).toEqual(["Needs your answer: Taxes"]);
    expect(texts({}, { elsewhere })).toEqual([]);
  });
});

// Bug: neither was told at all.
it("a folder that brings something to trust is told at once; what is tried again, once an attempt", () => {
  const { show } = opened();
  const file = { path: "AGENTS.md", what: "instructions", words: [], isCut: false, isChanged: false };
  const trust = { id: "t", folder: "~/site", files: [{ ...file, refusal: null }] };
  const wanted = { text: "Trust what this folder brings? ~/site", isUrgent: true };
  expect(show({}, { trust })).toEqual([wanted]);
  expect(show({}, { trust })).toEqual([]);
  const refused = { ...trust, id: "u", files: [{ ...file, refusal: "is a link" }] };
  expect(show({}, { trust: refused })).toEqual([
    { text: "This folder brings something unusual ~/site", isUrgent: true },
  ]);
  const activity = { kind: "retry", reason: "The server is busy", of: 10, delayMs: 4000 } as const;
  const first = { activity: { ...activity, attempt: 1, since: openedAt + 1 } };
  expect(show(first)).toEqual([{ text: expect.stringMatching(/The server is busy.*1/), isUrgent: false }]);
  expect(show(first)).toEqual([]);
  expect(show({ activity: { ...activity, attempt: 2, since: openedAt + 9 } })).toHaveLength(1);
});

// Bug: the quick prompt said nothing of voice.
it("voice that listens when its conversation is opened is told where it was asked for, and voice that is off is not", () => {
  const announcements = new Announcements();
  const listening = { ...view, voice: { now: voiceOn({ state: "listening" }), speech: null } };
  expect(textsOf(announcements.take({ ...facts, view, since: openedAt }))).toEqual([]);
  const other = { ...listening, conversationId: "b" };
  expect(textsOf(announcements.take({ ...facts, view: other, since: openedAt }))).toEqual(["Listening"]);
  expect(textsOf(announcements.take({ ...facts, view: { ...view, conversationId: "b" } }))).toEqual([
    "Voice off",
  ]);
});

it("voice is told when it begins and ends, not with every sentence that it hears", () => {
  const { texts } = opened();
  const now = (state: "listening" | "hearing" | "transcribing") => ({
    voice: { now: voiceOn({ state }), speech: null },
  });
  expect(texts(now("listening"))).toEqual(["Listening"]);
  expect(texts(now("hearing"))).toEqual([]);
  expect(texts(now("transcribing"))).toEqual([]);
  expect(texts({})).toEqual(["Voice off"]);
});
