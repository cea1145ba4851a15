import { describe, expect, test } from "vitest";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { applyEvent, applyEvents, emptyView } from "../../../shared/conversation/transcript.ts";

const start = emptyView("c", "C");
/** One after the other, with ids from 1 and a second apart. */
const show = (...bodies: AgentEventBody[]) =>
  bodies.reduce(
    (view, body, index) =>
      applyEvent(view, { ...body, id: index + 1, conversationId: "c", at: (index + 1) * 1000 }),
    start,
  );
const message = (more: Partial<Message>): AgentEventBody => ({
  type: "message.added",
  message: { id: "m", role: "user", origin: "typed", source: null, content: [], createdAt: 5, ...more },
});

describe("what waits", () => {
  const queued = (inputId: string, text: string, isHeld?: boolean): AgentEventBody => ({
    type: "input.queued",
    input: { inputId, text, origin: "voice", source: null, ...(isHeld !== undefined && { isHeld }) },
  });
  const texts = (...bodies: AgentEventBody[]) => show(...bodies).queue.map(({ text }) => text);

  test("keeps its place with other words, and goes to the end when it was held and is sent", () => {
    expect(texts(queued("a", "one"), queued("b", "two"), queued("a", "one and a half"))).toEqual([
      "one and a half",
      "two",
    ]);
    expect(texts(queued("a", "one", true), queued("b", "two"), queued("a", "sent", false))).toEqual([
      "two",
      "sent",
    ]);
  });

  test("of steering only that goes whose message has come", () => {
    const received = (steeringId: string): AgentEventBody => ({
      type: "steering.received",
      steeringId,
      text: steeringId,
    });
    const view = show(received("m"), received("n"), message({ origin: "steering" }));
    expect(view.steering).toEqual([{ steeringId: "n", text: "n" }]);
  });
});

describe("what a run is busy with", () => {
  const requested: AgentEventBody = {
    type: "model.requested",
    runId: "r",
    provider: "p",
    model: "large",
    round: 1,
  };
  const retry: AgentEventBody = { type: "retry", reason: "busy", attempt: 2, of: 3, delayMs: 500 };
  const tool = (toolUseId: string, name: string): AgentEventBody => ({
    type: "tool.started",
    toolUseId,
    name,
    input: {},
  });
  const ended = (toolUseId: string): AgentEventBody => ({
    type: "tool.ended",
    toolUseId,
    name: "x",
    durationMs: 1,
    isError: false,
    output: "",
  });

  test("is the model, a wait for another try, or tools; nothing while text comes", () => {
    expect(show(requested).activity).toEqual({ kind: "model", model: "large", since: 1000 });
    expect(show(requested, retry).activity).toEqual({
      kind: "retry",
      reason: "busy",
      attempt: 2,
      of: 3,
      delayMs: 500,
      since: 2000,
    });
    expect(show(requested, { type: "text.delta", messageId: "m", text: "x" }).activity).toBeNull();
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const responded = { type: "model.responded", runId: "r", usage, latencyMs: 1 } as const;
    expect(show(requested, responded).activity).toBeNull();
  });

  test("counts the tools' time from the first of them", () => {
    const tools = show(requested, tool("a", "read"), tool("b", "write"));
    expect(tools.activity).toEqual({ kind: "tools", names: ["read", "write"], since: 2000 });
    const first = show(requested, tool("a", "read"), tool("b", "write"), ended("a"));
    expect(first.activity).toEqual({ kind: "tools", names: ["write"], since: 2000 });
    expect(show(requested, tool("a", "read"), ended("a")).activity).toBeNull();
    // Opened while it ran: nobody knows since when.
    const unknown = show(tool("a", "read"), tool("b", "write"));
    const late = applyEvent(
      { ...unknown, activity: null },
      { ...ended("a"), id: 9, conversationId: "c", at: 9000 },
    );
    expect(late.activity).toEqual({ kind: "tools", names: ["write"], since: 9000 });
  });
});

describe("cards", () => {
  test("an approval shows all that was told of it, and how it ended", () => {
    const told = {
      wish: { kind: "host", host: "a.example.com", port: 443 },
      diff: "+a",
      why: "a rule",
      rules: [{ verdict: "allow", command: "ls" }],
      source: "microphone",
      mayBeSpoken: true,
      mayRunOutside: false,
      changedToolFiles: ["a"],
      holdsInConversation: true,
    };
    const base = { toolUseId: "t", name: "shell", effect: "execute", detail: "ls" };
    const asked = (more: object) =>
      ({ type: "approval.requested", approvalId: "a", ...base, ...more }) as AgentEventBody;
    const card = { kind: "approval", key: "a", ...base, status: "waiting", reason: null, at: 1000 };
    expect(show(asked({})).items).toStrictEqual([card]);
    expect(show(asked(told)).items).toStrictEqual([{ ...card, ...told }]);
    const resolved = (more: object) =>
      ({ type: "approval.resolved", approvalId: "a", allowed: true, ...more }) as AgentEventBody;
    expect(show(asked({}), resolved({})).items).toStrictEqual([
      { ...card, status: "allowed", endedAt: 2000 },
    ]);
    expect(show(asked({}), resolved({ scope: "session", outside: true })).items).toStrictEqual([
      { ...card, status: "allowed", endedAt: 2000, scope: "session", outside: true },
    ]);
  });

  test("a question shows its form, and its answer", () => {
    const base = { question: "Which?", options: [{ label: "one" }] };
    const asked = (more: object) =>
      ({ type: "question.asked", questionId: "q", ...base, ...more }) as AgentEventBody;
    const card = { kind: "question", key: "q", ...base, status: "waiting", answer: null, at: 1000 };
    expect(show(asked({})).items).toStrictEqual([card]);
    const form = { server: "s", fields: [] };
    expect(show(asked({ form })).items).toStrictEqual([{ ...card, form }]);
    expect(
      show(asked({}), { type: "question.answered", questionId: "q", answer: "one" }).items,
    ).toStrictEqual([{ ...card, status: "answered", answer: "one", endedAt: 2000 }]);
  });

  test("a command's answer and an error are cards of their own", () => {
    const error = { code: "x", message: "It failed." };
    const command = { line: "/help", output: "…", isError: true };
    expect(show({ type: "command.answered", ...command }, { type: "error", error }).items).toStrictEqual([
      { kind: "command", key: "command-1", ...command, at: 1000 },
      { kind: "error", key: "error-2", error, canRetry: false, at: 2000 },
    ]);
  });
});

describe("what was heard", () => {
  const heard = (more: object) =>
    ({
      type: "voice.utterance",
      utteranceId: "u",
      text: "hello",
      reason: "endpoint",
      confidence: 0.9,
      timing: { audioStartedAt: null, speechEndMs: null, finalAt: null },
      ...more,
    }) as AgentEventBody;
  const shown = (...bodies: AgentEventBody[]) =>
    show(...bodies).items.map((item) => ("text" in item ? [item.kind, item.text] : [item.kind]));

  test.each([
    ["stop_word", "“hello” stopped the run."],
    ["answer", "“hello” answered the question."],
    ["approval", "“hello” answered the approval."],
    ["interrupted", "“hello” interrupted the run."],
    ["held", "“hello” is on hold: too many prompts are waiting. It will be sent when there is room."],
  ])("an utterance by the rule %s leaves a line", (rule, text) => {
    expect(shown(heard({ rule }))).toEqual([["note", text]]);
  });

  test("in a meeting stands with who said it, until it turns out to be an echo", () => {
    const noted = heard({ rule: "noted", source: "microphone" });
    expect(show(noted).items).toEqual([
      { kind: "said", key: "said-u", who: "me", text: "hello", at: 1000, endedAt: 1000 },
    ]);
    expect(show(heard({ rule: "noted", source: "loopback" })).items).toMatchObject([{ who: "them" }]);
    expect(shown(noted, heard({ rule: "echo" }))).toEqual([]);
    expect(shown(noted, heard({ rule: "stop_word" }))).toHaveLength(2);
  });

  test("can be sent after all where it was kept", () => {
    expect(show(heard({ dropped: "too short", droppedId: "d" })).items).toEqual([
      { kind: "note", key: "note-1", text: "Not sent (too short): “hello”", at: 1000, droppedId: "d" },
    ]);
  });

  test("is one line for a fit of coughing: the last of them; another line goes between two", () => {
    const cough = (text: string) => heard({ text, rule: "no_speech", dropped: "probably not speech" });
    const [the, yeah] = ["the", "yeah"].map((text) => ["note", `Not sent (probably not speech): “${text}”`]);
    expect(shown(cough("the"), cough("yeah"))).toEqual([yeah]);
    // With one key a screen reader reads it once.
    expect(show(cough("the"), cough("yeah")).items[0]?.key).toBe(show(cough("the")).items[0]?.key);
    const short = heard({ rule: "too_short", dropped: "too short" });
    const unsure = (text: string) => heard({ text, rule: "too_unsure", dropped: "low confidence" });
    expect(shown(short, unsure("a couple"), cough("yeah"))).toEqual([yeah]);
    // So many words may have been a prompt: they are not to be lost.
    const between = ["note", "Not sent (low confidence): “close the door”"];
    expect(shown(cough("the"), unsure("close the door"), cough("yeah"))).toEqual([the, between, yeah]);
  });

  test("is told of where some of it was lost", () => {
    expect(shown({ type: "voice.gap", missed: 1 } as AgentEventBody)).toEqual([
      ["note", "1 speech event was lost because Parley fell behind the recogniser."],
    ]);
    expect(shown({ type: "voice.gap", missed: 2 } as AgentEventBody)).toEqual([
      ["note", "2 speech events were lost because Parley fell behind the recogniser."],
    ]);
    expect(shown({ type: "voice.notice", message: "No sound." } as AgentEventBody)).toEqual([
      ["note", "No sound."],
    ]);
  });

  test("from the computer's sound marks the conversation until the user vouches for it", () => {
    expect(show(message({})).isOverheard).toBeUndefined();
    const overheard = message({ source: "loopback" });
    expect(show(overheard).isOverheard).toBe(true);
    expect(show(overheard, message({ id: "n" })).isOverheard).toBe(true);
    expect(show(overheard, { type: "overheard.lifted", messages: 1 }).isOverheard).toBe(false);
  });
});

describe("the conversation", () => {
  test("takes its title, folder, level and state from what is told", () => {
    const view = show(
      { type: "session.changed", title: "New", workingFolder: "/w" },
      { type: "permission.mode", mode: "work" },
      { type: "state.changed", state: "processing" },
      { type: "model.chosen", model: "haiku", effort: "low" },
    );
    const told = { title: "New", workingFolder: "/w", permissionMode: "work", state: "processing" };
    expect(view).toEqual({ ...start, ...told, chosenModel: "haiku", chosenEffort: "low", lastEventId: 4 });
  });

  test("shows what is thought with the reply, until there is text to read", () => {
    const think = (text: string): AgentEventBody => ({ type: "thinking.delta", messageId: "m", text });
    const say: AgentEventBody = { type: "text.delta", messageId: "m", text: "Yes." };
    const end: AgentEventBody = { type: "run.ended", runId: "r", stopReason: "interrupted" };
    expect(show(think("h"), think("m")).items).toMatchObject([
      { kind: "assistant", key: "m", text: "", thinking: { text: "hm", isGoingOn: true, ms: null } },
    ]);
    expect(show(think("hm"), say, think(", so")).items).toMatchObject([
      { text: "Yes.", thinking: { text: "hm, so", isGoingOn: false, ms: expect.any(Number) } },
    ]);
    expect(show(say, think("hm")).items).toMatchObject([{ thinking: { isGoingOn: false } }]);
    expect(show(think("hm"), { type: "stream.reset", messageId: "m" }).items).toEqual([]);
    // Nothing of it was kept.
    expect(show(think("hm"), end).items.map(({ kind }) => kind)).toEqual(["note"]);
  });

  test("ends in an error's card where a run failed, and each end has its own line", () => {
    const end = (stopReason: string) => ({ type: "run.ended", runId: "r", stopReason }) as AgentEventBody;
    const said = (reason: string) => show(end(reason)).items.map((item) => "text" in item && item.text);
    expect(said("end_turn")).toEqual([]);
    expect(said("max_tokens")).toEqual([expect.stringContaining("length limit")]);
    expect(said("refusal")).toEqual(["The model declined to answer this."]);
    expect(said("max_turns")).toEqual([expect.stringContaining("limit of rounds")]);
    expect(said("budget_exceeded")).toEqual([expect.stringContaining("budget")]);
    expect(said("too_many_deletions")).toEqual([expect.stringContaining("deleted more files")]);
    expect(said("loop_detected")).toEqual([expect.stringContaining("repeated without progress")]);
    // Bug: two of them named keys of the settings file.
    for (const reason of ["max_tokens", "too_many_deletions"])
      expect(said(reason).join()).not.toMatch(/[a-z][A-Z]/);
  });
});

test("deltas of several replies are joined each with its own", () => {
  const delta = (id: number, messageId: string, text: string) =>
    ({ type: "text.delta", messageId, text, id, conversationId: "c", at: id }) as const;
  const deltas = [delta(1, "a", "1"), delta(2, "a", "2"), delta(3, "b", "3"), delta(4, "a", "4")];
  const view = applyEvents(start, deltas);
  expect(view.items).toMatchObject([
    { key: "a", text: "124" },
    { key: "b", text: "3" },
  ]);
  expect(view.lastEventId).toBe(4);
  expect(applyEvents(view, deltas)).toBe(view);
});
