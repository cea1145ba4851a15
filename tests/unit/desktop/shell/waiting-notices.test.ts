import type { EventEmitter } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { WaitingNotices } from "../../../../electron/desktop/shell/waiting-notices.ts";
import type { WaitingCounts } from "../../../../electron/desktop/shell/waiting-words.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";

interface NoticeOptions {
  title: string;
  body: string;
  actions: { text: string }[];
}

const screen = vi.hoisted(() => ({ told: "", made: [] as unknown[] }));

vi.mock("electron", async () => {
  const { EventEmitter } = await import("node:events");
  class Notification extends EventEmitter {
    static isSupported = () => true;
    readonly options: unknown;
    isShown = false;
    constructor(options: unknown) {
      super();
      this.options = options;
      screen.made.push(this);
    }
    show() {
      this.isShown = true;
    }
    close() {
      this.isShown = false;
    }
  }
  return { Notification };
});

const notices = () => screen.made as (EventEmitter & { options: NoticeOptions; isShown: boolean })[];
const shown = () =>
  notices().flatMap(({ isShown, options: { title, body, actions } }) =>
    isShown ? [{ title, body, buttons: actions.map(({ text }) => text) }] : [],
  );

let counts: WaitingCounts[];
let done: string[][];
let waiting: WaitingNotices;
let id: number;

beforeEach(() => {
  screen.told = "";
  screen.made = [];
  counts = [];
  done = [];
  id = 0;
  waiting = new WaitingNotices({
    show: (...about) => done.push(["show", ...about]),
    deny: (...about) => done.push(["deny", ...about]),
    isTold: (conversationId) => conversationId === screen.told,
    onChange: (now) => counts.push(now),
  });
});

const happen = (body: AgentEventBody, conversationId = "c") =>
  waiting.observe({ id: ++id, at: 0, conversationId, ...body });
const asked = (questionId: string, more: object = {}): AgentEventBody => ({
  ...{ type: "question.asked", questionId, question: "Which tag?", options: [{ label: "2.4" }] },
  ...more,
});
const requested = (approvalId: string): AgentEventBody => ({
  ...{ type: "approval.requested", approvalId, toolUseId: "t", name: "shell", effect: "execute" },
  detail: "reboot",
});

// Bug: only approvals were told, so a run that asked waited for ever for somebody who was away.
test("a question is told with what it asks; a click, and its only button, lead to its card", () => {
  happen(asked("q1"));
  expect(shown()).toEqual([{ title: "Question for you", body: "Which tag?", buttons: ["Show"] }]);
  const [notice] = notices();
  notice?.emit("click");
  notice?.emit("action", {}, 0);
  // Where a button for no would stand, there is nothing to deny.
  notice?.emit("action", {}, 1);
  expect(done).toEqual(Array(3).fill(["show", "c", "q1"]));
});

test("an approval has a button for no as well", () => {
  happen(requested("a1"));
  expect(shown()).toEqual([{ title: "Needs approval", body: "shell: reboot", buttons: ["Show", "Deny"] }]);
  const [notice] = notices();
  notice?.emit("action", {}, 0);
  notice?.emit("action", {}, 1);
  happen({ type: "approval.resolved", approvalId: "a1", allowed: false });
  // It was answered meanwhile.
  notice?.emit("action", {}, 1);
  expect(done).toEqual([
    ["show", "c", "a1"],
    ["deny", "c", "a1"],
  ]);
});

test("approvals and questions are counted, and brought up oldest first", () => {
  happen(asked("q1"), "one");
  happen(requested("a1"), "two");
  happen(asked("q2"), "two");
  waiting.showOldest();
  happen({ type: "question.answered", questionId: "q1", answer: "2.4" }, "one");
  waiting.showOldest();
  expect(counts).toEqual([
    { approvals: 0, questions: 1 },
    { approvals: 1, questions: 1 },
    { approvals: 1, questions: 2 },
    { approvals: 1, questions: 1 },
  ]);
  expect(done).toEqual([
    ["show", "one", "q1"],
    ["show", "two", "a1"],
  ]);
});

test.each([
  ["an answer", "2.4"],
  ["the end of its run", null],
])("%s takes the notice of a question away, once", (_, answer) => {
  happen(asked("q1"));
  happen({ type: "question.answered", questionId: "q1", answer });
  expect(shown()).toEqual([]);
  happen({ type: "question.answered", questionId: "q1", answer });
  expect(counts).toEqual([
    { approvals: 0, questions: 1 },
    { approvals: 0, questions: 0 },
  ]);
});

test("a long question is cut, what cannot be seen in it is shown, and a server is named", () => {
  happen(asked("q1", { question: "a".repeat(300) }));
  happen(asked("q2", { question: "safe\u202egnp", form: { server: "db", fields: [] } }));
  expect(shown().map(({ body }) => body)).toEqual([`${"a".repeat(200)}…`, "db asks: safe⟨U+202E⟩gnp"]);
});

// Bug: nothing was told while the quick prompt was in front, which shows one conversation.
test("what a window in front of the user tells is told by no notice, but counted", () => {
  screen.told = "c";
  happen(asked("q1"));
  expect(shown()).toEqual([]);
  expect(counts).toEqual([{ approvals: 0, questions: 1 }]);
});
