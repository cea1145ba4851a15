import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { WindowState } from "../../../../renderer/state/window-state.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import { voiceOn, voiceSnapshot } from "../voice-snapshot.ts";
import { ScriptedMain } from "./scripted-main.ts";
import { summaryOf } from "./summaries.ts";

const prompt = (id: string): AgentEventBody => ({
  type: "message.added",
  message: {
    ...{ id, role: "user", origin: "typed", source: null, createdAt: 1 },
    content: [{ type: "text", text: "Do it" }],
  },
});

let main: ScriptedMain;
let state: WindowState;

beforeEach(async () => {
  main = new ScriptedMain();
  state = new WindowState(main.bridge);
  state.start();
  await main.answer("conversation.attach", main.view("a"));
});

describe("a prompt", () => {
  it("goes to the conversation that is shown", async () => {
    const taken = state.submit("Hello");
    expect(main.calls.at(-1)).toMatchObject({
      route: "conversation.submit",
      input: { conversationId: "a", text: "Hello", origin: "typed" },
    });
    await main.answer("conversation.submit", { conversationId: "a", inputId: "i" });
    expect(await taken).toBe(true);
  });

  it("answers a question that waits, the oldest first; a command and what has files with it stay what they are", async () => {
    const ask = (questionId: string) =>
      main.emit("a", { type: "question.asked", questionId, question: "Which?", options: [] });
    main.push({ type: "events", events: [ask("q1"), ask("q2")] });
    const taken = state.submit(" The left one ");
    await main.answer("question.answer", undefined);
    expect(await taken).toBe(true);
    main.push({
      type: "events",
      events: [main.emit("a", { type: "question.answered", questionId: "q1", answer: "The left one" })],
    });
    void state.submit("Then this");
    void state.submit("/help");
    void state.submit("See there", ["file:a.txt"]);
    expect(main.calls.slice(-3).map(({ route, input }) => [route, input])).toMatchObject([
      ["question.answer", { questionId: "q2", answer: "Then this" }],
      ["conversation.submit", { text: "/help" }],
      ["conversation.submit", { text: "See there" }],
    ]);
  });

  it("that is refused is reported as not taken, with the reason", async () => {
    const taken = state.submit("Hello");
    await main.refuse("conversation.submit", "This conversation is closed.");
    expect(await taken).toBe(false);
    expect(state.failure.get()?.message).toBe("This conversation is closed.");
  });

  // Bug: an unhandled rejection, and a text box that never answers.
  it("that main never answered because it went away is reported in words", async () => {
    const taken = state.submit("Hello");
    main.take("conversation.submit").fail(new Error("reply was never sent"));
    expect(await taken).toBe(false);
    expect(state.failure.get()).toMatchObject({
      code: "no_answer",
      message: expect.stringContaining("reply was never sent"),
    });
  });

  // Bug: who looked at another conversation while a prompt with files was being taken was thrown back.
  it("that is taken late leaves the conversation that is shown by then", async () => {
    void state.submit("See there", ["file:a.txt"]);
    state.show("b");
    await main.answer("conversation.attach", main.view("b"));
    await main.answer("conversation.submit", { conversationId: "a", inputId: "i" });
    expect(main.calls.filter(({ route }) => route === "conversation.attach")).toEqual([]);
    expect(state.view.get()?.conversationId).toBe("b");
  });

  // Bug: "rewind", said into the quick prompt, opened the dialog of the conversation that the main window showed before.
  it("can have something done there at once", async () => {
    for (const id of ["a", "b"]) main.emit(id, prompt(`p-${id}`));
    main.push({ type: "show-conversation", conversationId: "a" });
    await main.answer("conversation.attach", main.view("a"));
    main.push({ type: "show-conversation", conversationId: "b" });
    main.push({ type: "spoken-command", name: "rewind", about: "" });
    await main.answer("conversation.attach", main.view("b"));
    await setImmediate();
    expect(state.history.rewinding.get()).toEqual({ conversationId: "b", to: { messageId: "p-b" } });
  });

  // Bug: after "next conversation" the next words were a prompt of the conversation that was left.
  it("hears of the conversation that the user went to by voice, and only then", async () => {
    const sessions = [summaryOf("a", { updatedAt: 2 }), summaryOf("b")];
    await main.answer("conversation.list", { sessions, next: null });
    main.push({ type: "spoken-command", name: "next_conversation", about: "" });
    await setImmediate();
    await main.answer("conversation.attach", main.view("b"));
    await setImmediate();
    expect(main.take("voice.follow").input).toEqual({ conversationId: "b" });
    main.push({ type: "spoken-command", name: "find", about: "" });
    await setImmediate();
    expect(main.calls.map(({ route }) => route)).not.toContain("voice.follow");
  });

  it("has what it shows seen: no dialog stays before it", () => {
    const closed: string[] = [];
    state.closeWanted.subscribe((what) => closed.push(what));
    main.push({ type: "show-waiting", conversationId: "b", key: "k" });
    main.push({ type: "show-conversation", conversationId: "b" });
    expect(closed).toEqual(["all", "all"]);
  });

  it("that moved on to another conversation, such as `/new`, shows that one", async () => {
    void state.submit("/new");
    await main.answer("conversation.submit", { conversationId: "b", inputId: null });
    expect(main.take("conversation.attach").input).toEqual({ conversationId: "b" });
  });

  it("clears the failure before it", async () => {
    void state.submit("one");
    await main.refuse("conversation.submit", "No.");
    void state.submit("two");
    expect(state.failure.get()).toBeNull();
  });
});

describe("a prompt that is given back", () => {
  const inserted = () => {
    const all: unknown[] = [];
    state.inserted.subscribe((one) => all.push(one));
    return all;
  };
  const show = async (conversationId: string, more = {}) => {
    state.show(conversationId);
    await main.answer("conversation.attach", { ...main.view(conversationId), ...more });
  };

  // Bug: a prompt that was taken back came into the text box of the conversation that was shown by then.
  it("comes into the text box of its own conversation", async () => {
    const given = inserted();
    void state.editHeld("h");
    await show("b");
    await main.answer("input.takeBack", { text: "left", attached: [] });
    expect(given).toEqual([]);
    expect([state.drafts.get("a"), state.drafts.get("b")]).toEqual(["left", ""]);
    void state.editHeld("h2");
    await main.answer("input.takeBack", { text: "of b", attached: [] });
    expect(given).toEqual([{ text: "of b", attached: [] }]);
  });

  // Bug: after a rewind that ended while another conversation was shown its prompt was not in the text box.
  it("by a rewind stands there when its conversation is shown again", async () => {
    await show("b");
    await show("a", { draft: "gone back" });
    expect(state.drafts.get("a")).toBe("gone back");
  });
});

describe("voice", () => {
  it("that is on somewhere else ends there before it starts here", async () => {
    main.push({ type: "voice", voice: { ...voiceSnapshot, now: voiceOn({ conversationId: "b" }) } });
    void state.startVoice("loopback");
    expect(main.calls.at(-1)?.route).toBe("voice.stop");
    await main.answer("voice.stop");
    expect(main.calls.at(-1)).toMatchObject({
      route: "voice.start",
      input: { conversationId: "a", source: "loopback" },
    });
  });

  // Bug: bars that stand still at the last loudness after the microphone was closed.
  it("that ended leaves no level behind", () => {
    main.push({ type: "voice", voice: { ...voiceSnapshot, now: voiceOn() } });
    main.push({ type: "level", level: 0.4 });
    expect(state.voicePanel.level.get()).toBe(0.4);
    main.push({ type: "voice", voice: voiceSnapshot });
    expect(state.voicePanel.level.get()).toBe(0);
  });
});

describe("main", () => {
  it("can show another conversation", async () => {
    main.push({ type: "show-conversation", conversationId: "b" });
    await main.answer("conversation.attach", main.view("b"));
    expect(state.view.get()?.conversationId).toBe("b");
  });

  it("can give the keyboard to the composer, more than once", () => {
    let wanted = 0;
    state.focusWanted.subscribe(() => wanted++);
    main.push({ type: "focus-composer" });
    main.push({ type: "focus-composer" });
    expect(wanted).toBe(2);
  });
});

// Bug: a form that was asked for while the one before was closing never came.
it("a form for a key stays when the one before it is closed late", () => {
  const asked = { variable: "OPENAI_API_KEY", canBeWeak: true, place: "memory", backend: "" } as const;
  const push = { type: "ask-key", ...asked } as const;
  main.push(push);
  const first = state.keyRequest.get();
  main.push(push);
  const second = state.keyRequest.get();
  expect(second?.id).not.toBe(first?.id);
  if (first) state.closeKeyForm(first);
  expect(state.keyRequest.get()).toBe(second);
  if (second) state.closeKeyForm(second);
  expect(state.keyRequest.get()).toBeNull();
});
