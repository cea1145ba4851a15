import { expect, test } from "vitest";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { itemsOfHistory } from "../../../shared/conversation/stored-transcript.ts";
import { applyEvent, emptyView, maxLiveOutputChars } from "../../../shared/conversation/transcript.ts";
import { stoppedMark, stoppedText } from "../../../shared/conversation/unfinished-call.ts";

const after = (...bodies: AgentEventBody[]) =>
  bodies.reduce(
    (view, body, index) => applyEvent(view, { ...body, id: index + 1, conversationId: "c", at: index }),
    emptyView("c", "C"),
  );

const asked = {
  type: "approval.requested",
  approvalId: "a",
  toolUseId: "t",
  name: "shell",
  effect: "execute",
  detail: "ls",
} as const;

test("an approval waits, then shows how it was settled and why", () => {
  expect(after(asked).items).toMatchObject([{ kind: "approval", key: "a", status: "waiting", detail: "ls" }]);
  const denied = after(asked, { type: "approval.resolved", approvalId: "a", allowed: false, reason: "no" });
  expect(denied.items).toMatchObject([{ status: "denied", reason: "no" }]);
});

test("a question without an answer is marked as dropped", () => {
  const question: AgentEventBody = {
    type: "question.asked",
    questionId: "q",
    question: "Which?",
    options: [],
  };
  const view = after(question, { type: "question.answered", questionId: "q", answer: null });
  expect(view.items).toMatchObject([{ kind: "question", status: "dropped", answer: null }]);
});

test("a question stands behind the call that asks it, whatever began meanwhile", () => {
  const started = (toolUseId: string): AgentEventBody => ({
    ...{ type: "tool.started", toolUseId, name: "ask_user", input: {} },
  });
  const question: AgentEventBody = {
    ...{ type: "question.asked", questionId: "q", toolUseId: "one", question: "Which?", options: [] },
  };
  expect(after(started("one"), started("two"), question).items.map(({ key }) => key)).toEqual([
    "one",
    "q",
    "two",
  ]);
});

// Bug: a call that the user stopped was one that failed, and what it asked was denied.
test("what the user stops is stopped: the card, and the call, also when it is read from the store", () => {
  const started: AgentEventBody = { type: "tool.started", toolUseId: "t", name: "shell", input: {} };
  const ended = (output: string): AgentEventBody => ({
    ...{ type: "tool.ended", toolUseId: "t", name: "shell", durationMs: 0, isError: true, output },
  });
  const resolved: AgentEventBody = {
    ...{ type: "approval.resolved", approvalId: "a", allowed: false, isStopped: true },
  };
  expect(after(started, asked, resolved, ended(stoppedText)).items).toMatchObject([
    { kind: "tool", status: "stopped" },
    { kind: "approval", status: "stopped", reason: null },
  ]);
  expect(after(started, ended(`so far\n${stoppedMark}`)).items).toMatchObject([{ status: "stopped" }]);
  expect(after(started, ended("[exit code 1]")).items).toMatchObject([{ status: "failed" }]);
  const message: Message = {
    ...{ id: "m", role: "assistant", origin: null, source: null, createdAt: 0 },
    content: [{ type: "tool_use", id: "t", name: "shell", input: {} }],
  };
  expect(itemsOfHistory([message], new Map())).toMatchObject([{ status: "stopped" }]);
});

test("the time that the user took is not the call's, also where the run ends before the call", () => {
  const started: AgentEventBody = { type: "tool.started", toolUseId: "t", name: "shell", input: {} };
  const answered: AgentEventBody = { type: "approval.resolved", approvalId: "a", allowed: true };
  const wait: AgentEventBody = { type: "subagent.ended", agentId: "x", status: "completed", turns: 1 };
  const end: AgentEventBody = { type: "run.ended", runId: "r", stopReason: "interrupted" };
  // At 0 it begins, at 1 it asks, at 3 it is answered, at 5 the run ends.
  expect(after(started, asked, wait, answered, wait, end).items[0]).toMatchObject({
    status: "stopped",
    durationMs: 3,
  });
});

test("steering waits visibly until its message has entered the turn", () => {
  const received = { type: "steering.received", steeringId: "s", text: "the other one" } as const;
  expect(after(received).steering).toEqual([{ steeringId: "s", text: "the other one" }]);
  const entered = after(received, {
    type: "message.added",
    message: {
      id: "s",
      role: "user",
      origin: "steering",
      source: null,
      content: [{ type: "text", text: "the other one" }],
      createdAt: 0,
    },
  });
  expect(entered.steering).toEqual([]);
  expect(entered.items).toMatchObject([{ kind: "user", origin: "steering", text: "the other one" }]);
});

test.each(["system", "summary", "tool"] as const)(
  "a message of origin %s is no bubble of the user's",
  (origin) => {
    const message = {
      id: "m",
      role: "user",
      origin,
      source: null,
      content: [{ type: "text", text: "Parley's own" }],
      createdAt: 0,
    } as const;
    expect(
      after({ type: "message.added", message: { ...message, content: [...message.content] } }).items,
    ).toEqual([]);
  },
);

// Bug: a command that prints for an hour fills the window's memory.
test("a running tool shows the last of its output, bounded, and the result in the end", () => {
  const started = { type: "tool.started", toolUseId: "t", name: "shell", input: {} } as const;
  const chunks = Array.from({ length: 30 }, (_, index) => ({
    type: "tool.output" as const,
    toolUseId: "t",
    text: `${index}`.padStart(1000, "."),
  }));
  const running = after(started, ...chunks).items[0];
  expect(running?.kind === "tool" && running.output.length).toBe(maxLiveOutputChars);
  expect(running?.kind === "tool" && running.output.endsWith("29")).toBe(true);
  const ended = { type: "tool.ended", toolUseId: "t", name: "shell", durationMs: 1, isError: false } as const;
  expect(after(started, ...chunks, { ...ended, output: "all" }).items[0]).toMatchObject({ output: "all" });
});

test("a line knows how much of its output the model saw", () => {
  const started = { type: "tool.started", toolUseId: "t", name: "shell", input: {} } as const;
  const cut = { shownChars: 30_000, totalChars: 120_000 };
  const view = after(started, { type: "result.truncated", toolUseId: "t", name: "shell", ...cut });
  expect(view.items).toMatchObject([{ kind: "tool", cut }]);
});

// Bug: cards stood in the order in which they happened to ask.
test("cards stand behind their calls, in the order of the calls", () => {
  const started = (toolUseId: string) =>
    ({ type: "tool.started", toolUseId, name: "shell", input: {} }) as const;
  const about = (toolUseId: string) => ({ ...asked, approvalId: `for ${toolUseId}`, toolUseId });
  const { items } = after(
    started("1"),
    started("2"),
    started("3"),
    about("3"),
    about("1"),
    about("2"),
    about("x"),
  );
  expect(items.map(({ key }) => key)).toEqual(["1", "for 1", "2", "for 2", "3", "for 3", "for x"]);
});

test.each([
  [{ type: "history.trimmed", dropped: 4 }, "4 older messages"],
  [{ type: "loop.detected", pattern: ["grep x"], count: 3, action: "warn" }, "repeated 3 times"],
  [{ type: "compaction.ended", tokensBefore: 90_000, tokensAfter: 9_000 }, "90,000 → 9,000"],
  [{ type: "compaction.ended", tokensBefore: 1, tokensAfter: 1, error: "no network" }, "no network"],
  [{ type: "budget.warning", usedTokens: 80, maxTokens: 100, usedUsd: 0, maxUsd: 0 }, "80 of 100 tokens"],
  [{ type: "budget.warning", usedTokens: 80, maxTokens: 0, usedUsd: 0.8, maxUsd: 1 }, "$0.80 of $1.00"],
] satisfies [AgentEventBody, string][])("what the user must know is a quiet note: %j", (event, words) => {
  expect(after(event).items).toMatchObject([{ kind: "note", text: expect.stringContaining(words) }]);
});
