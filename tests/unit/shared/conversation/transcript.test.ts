import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentEventBody } from "../../../../shared/conversation/events.ts";
import type { Message } from "../../../../shared/conversation/messages.ts";
import {
  applyEvent,
  applyEvents,
  type ConversationView,
  emptyView,
  type TranscriptItem,
} from "../../../../shared/conversation/transcript.ts";

const conversationId = "c";
const start = emptyView(conversationId, "A conversation");

/** As a conversation stamps them: ids from 1 without gaps, one second apart. */
const stamped = (bodies: readonly AgentEventBody[]): AgentEvent[] =>
  bodies.map((body, index) => ({ ...body, id: index + 1, conversationId, at: (index + 1) * 1000 }));

const play = (events: readonly AgentEvent[], from = start): ConversationView =>
  events.reduce(applyEvent, from);
const show = (...bodies: AgentEventBody[]) => play(stamped(bodies));

const prompt = (id: string, text: string): AgentEventBody =>
  added({ id, role: "user", origin: "typed" }, text);
const reply = (id: string, text: string, interrupted = false): AgentEventBody =>
  added({ id, role: "assistant", origin: null, interrupted }, text);

function added(
  head: Pick<Message, "id" | "role" | "origin"> & { interrupted?: boolean },
  text: string,
): AgentEventBody {
  const content: Message["content"] = text === "" ? [] : [{ type: "text", text }];
  return { type: "message.added", message: { source: null, createdAt: 5, ...head, content } };
}
const delta = (messageId: string, text: string): AgentEventBody => ({ type: "text.delta", messageId, text });
const toolStarted = (toolUseId: string, name = "read_file"): AgentEventBody => ({
  type: "tool.started",
  toolUseId,
  name,
  input: { path: "a" },
});
const toolEnded = (toolUseId: string, isError = false): AgentEventBody => ({
  type: "tool.ended",
  toolUseId,
  name: "read_file",
  durationMs: 3,
  isError,
  output: "out",
});
const runStarted: AgentEventBody = { type: "run.started", runId: "r", inputId: "i" };
const failedRun: AgentEventBody = {
  type: "run.ended",
  runId: "r",
  stopReason: "error",
  error: { code: "network", message: "No network." },
};
const command: AgentEventBody = { type: "command.answered", line: "/help", output: "…", isError: false };

const texts = (view: ConversationView) =>
  view.items.map((item) => `${item.kind}: ${"text" in item ? item.text : item.key}`);

describe("a reply", () => {
  it("grows by its deltas and is replaced by the finished message, in place", () => {
    const view = show(prompt("u", "Hi"), delta("m", "Hel"), delta("m", "lo"), reply("m", "Hello!"));
    expect(texts(view)).toEqual(["user: Hi", "assistant: Hello!"]);
    expect(view.items[1]).toMatchObject({ streaming: false, interrupted: false });
  });

  // Bug: a delta that looked at the last item only began a second reply with the same key.
  it("goes on in its own place when a command was answered in between", () => {
    const view = show(delta("m", "one "), command, delta("m", "two"));
    expect(texts(view)).toEqual(["assistant: one two", "command: command-2"]);
    expect(
      texts(play(stamped([delta("m", "one "), command, delta("m", "two"), reply("m", "one two")]))),
    ).toEqual(["assistant: one two", "command: command-2"]);
  });

  it("that is reset shows nothing of what was streamed before", () => {
    const view = show(delta("m", "wrong"), { type: "stream.reset", messageId: "m" }, delta("m", "right"));
    expect(texts(view)).toEqual(["assistant: right"]);
  });

  it("without text leaves nothing behind: its tool calls have cards of their own", () => {
    expect(show(reply("m", "")).items).toEqual([]);
    expect(show(delta("m", " "), reply("m", "")).items).toEqual([]);
  });

  it("that an interrupted run left unfinished stops streaming and says it was cut", () => {
    const view = show(delta("m", "half"), { type: "run.ended", runId: "r", stopReason: "interrupted" });
    expect(view.items[0]).toMatchObject({ kind: "assistant", streaming: false, interrupted: true });
    expect(view.items[1]).toMatchObject({ kind: "note", text: "You stopped this reply." });
  });

  it("keeps the order: text, tool, text", () => {
    const view = show(
      delta("a", "first"),
      reply("a", "first"),
      toolStarted("t"),
      toolEnded("t"),
      delta("b", "then"),
    );
    expect(view.items.map((item) => item.key)).toEqual(["a", "t", "b"]);
  });
});

describe("tool calls", () => {
  const asks = (id: string, ...calls: string[]): AgentEventBody => ({
    type: "message.added",
    message: {
      id,
      role: "assistant",
      origin: null,
      source: null,
      createdAt: 5,
      content: calls.map((call) => ({ type: "tool_use", id: call, name: "read_file", input: {} })),
    },
  });

  // Bug: calls that began in another order changed places when the conversation was opened again.
  it("stand in the order of their reply, whichever begins first", () => {
    const view = show(
      asks("a", "t1", "t2", "t3"),
      toolStarted("t2"),
      toolStarted("t3"),
      toolStarted("t1"),
      asks("b", "t4", "t5"),
      toolStarted("t5"),
      toolStarted("t4"),
    );
    expect(view.items.map(({ key }) => key)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
  });

  it("of one response run side by side; the activity names those that still run", () => {
    const both = show(toolStarted("t1", "read_file"), toolStarted("t2", "list_directory"));
    expect(both.activity).toMatchObject({
      kind: "tools",
      names: ["read_file", "list_directory"],
      since: 1000,
    });
    const one = play(
      stamped([toolStarted("t1", "read_file"), toolStarted("t2", "list_directory"), toolEnded("t1")]),
    );
    expect(one.activity).toMatchObject({ kind: "tools", names: ["list_directory"], since: 1000 });
    expect(one.items[0]).toMatchObject({ status: "done", output: "out", durationMs: 3 });
  });

  it("that failed say so", () => {
    expect(show(toolStarted("t"), toolEnded("t", true)).items[0]).toMatchObject({ status: "failed" });
  });

  // Bug: a card that spins for ever after Esc.
  it("that still run when the run ends are stopped", () => {
    const view = show(toolStarted("t"), { type: "run.ended", runId: "r", stopReason: "interrupted" });
    expect(view.items[0]).toMatchObject({ status: "stopped", output: "Interrupted.", durationMs: 1000 });
    expect(view.activity).toBeNull();
  });
});

describe("the queue", () => {
  const queued = (inputId: string): AgentEventBody => ({
    type: "input.queued",
    input: { inputId, text: inputId, origin: "typed", source: null },
  });

  it("loses an input when its run starts or when it is dropped", () => {
    const view = show(queued("i"), queued("j"), queued("k"), runStarted, {
      type: "input.dropped",
      inputId: "k",
    });
    expect(view.queue.map((input) => input.inputId)).toEqual(["j"]);
  });
});

describe("a failed run", () => {
  it("is one card that can be asked again", () => {
    expect(show(failedRun).items).toMatchObject([{ kind: "error", canRetry: true }]);
  });

  // Bug: Retry on an old card would have asked the newest prompt, or nothing.
  it("can no longer be asked again once another run has begun", () => {
    expect(show(failedRun, runStarted).items).toMatchObject([{ kind: "error", canRetry: false }]);
  });
});

describe("voice", () => {
  it("says which utterance was not sent, and why; one that was sent leaves no note", () => {
    const heard = {
      type: "voice.utterance",
      utteranceId: "1",
      text: "hm",
      reason: "endpoint",
      confidence: 0.1,
      timing: { audioStartedAt: null, speechEndMs: null, finalAt: null },
    } as const;
    expect(show({ ...heard, dropped: "low confidence" }).items).toMatchObject([
      { kind: "note", text: "Not sent (low confidence): “hm”" },
    ]);
    expect(show({ ...heard, inputId: "i" }).items).toEqual([]);
  });
});

/** Streams as a conversation may send them: prompts and tool calls have ids of their own, replies are spoken to again. */
const streams = fc
  .array(
    fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 2 }), fc.string({ maxLength: 5 })),
    {
      maxLength: 40,
    },
  )
  .map((steps) => stamped(steps.map(([kind, which, text], index) => bodyOf(kind, `m${which}`, index, text))));

function bodyOf(kind: number, messageId: string, index: number, text: string): AgentEventBody {
  const bodies: AgentEventBody[] = [
    prompt(`u${index}`, text),
    delta(messageId, text),
    reply(messageId, text),
    { type: "stream.reset", messageId },
    toolStarted(`t${index}`),
    toolEnded(`t${index - 1}`),
    command,
    runStarted,
    failedRun,
    { type: "run.ended", runId: "r", stopReason: "interrupted" },
    { type: "voice.partial", utteranceId: messageId, text },
    { type: "model.requested", runId: "r", provider: "p", model: "m", round: 1 },
  ];
  return bodies[kind] ?? { type: "error", error: { code: "x", message: text } };
}

describe("any stream of events", () => {
  it("shows every item once: keys are unique", () => {
    fc.assert(
      fc.property(streams, (events) => {
        const keys = play(events).items.map((item) => item.key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  // Bug: a window that attaches late gets events twice (in the view and as pushes).
  it("gives the same view from any snapshot, with events before it sent again", () => {
    fc.assert(
      fc.property(streams, fc.nat(), fc.nat(), (events, cut, again) => {
        const at = events.length === 0 ? 0 : cut % (events.length + 1);
        const from = at === 0 ? 0 : again % (at + 1);
        const late = play(events.slice(from), play(events.slice(0, at)));
        expect(late).toEqual(play(events));
      }),
    );
  });

  it("gives the same view for events applied at once as for one after the other", () => {
    fc.assert(
      fc.property(streams, fc.nat(), (events, cut) => {
        const seen = play(events.slice(0, events.length === 0 ? 0 : cut % events.length));
        expect(applyEvents(deepFrozen(seen), events)).toEqual(play(events));
      }),
    );
  });

  it("never changes a view that was handed out", () => {
    fc.assert(
      fc.property(streams, (events) => {
        let view = start;
        for (const event of events) view = applyEvent(deepFrozen(view), event);
      }),
    );
  });

  it("joins neighbouring deltas without going back to an earlier event", () => {
    const words = ["One ", "two ", "three"].map(
      (text): AgentEventBody => ({ type: "text.delta", messageId: "m", text }),
    );
    const events = stamped(words);
    const view = applyEvents(start, events);
    expect(view.lastEventId).toBe(3);
    // What is told a second time is not shown a second time.
    expect(applyEvents(view, events)).toEqual(view);
    expect(view).toEqual(play(events));
  });

  it("puts a prompt that was held and is sent at the end; others keep their place", () => {
    const queued = (inputId: string, more: object = {}): AgentEventBody => ({
      type: "input.queued",
      input: { inputId, text: inputId, origin: "typed", source: null, ...more },
    });
    const view = show(queued("held", { isHeld: true }), queued("first"), queued("second"), queued("held"));
    expect(view.queue.map(({ inputId }) => inputId)).toEqual(["first", "second", "held"]);
    const reworded = show(queued("first"), queued("second"), queued("first", { text: "other words" }));
    expect(reworded.queue.map(({ text }) => text)).toEqual(["other words", "second"]);
  });

  it("leaves nothing running once the run has ended", () => {
    fc.assert(
      fc.property(streams, (events) => {
        const end: AgentEventBody = { type: "run.ended", runId: "r", stopReason: "end_turn" };
        const view = applyEvent(play(events), { ...end, id: events.length + 1, conversationId, at: 99_000 });
        const isRunning = (item: TranscriptItem) =>
          (item.kind === "tool" && item.status === "running") ||
          (item.kind === "assistant" && item.streaming);
        expect(view.items.filter(isRunning)).toEqual([]);
        expect(view.activity).toBeNull();
      }),
    );
  });
});

function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFrozen(inner);
  }
  return value;
}
