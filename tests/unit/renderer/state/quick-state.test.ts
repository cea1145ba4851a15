import { describe, expect, it } from "vitest";
import { answerTo, QuickState } from "../../../../renderer/state/quick-state.ts";
import type { PromptOrigin } from "../../../../shared/conversation/messages.ts";
import { voiceOn, voiceSnapshot } from "../voice-snapshot.ts";
import { ScriptedMain } from "./scripted-main.ts";

const asked = { conversationId: "a", inputId: "i", text: "what time is it" };

function prompted(main: ScriptedMain, id: string, text: string, origin: PromptOrigin = "quick") {
  return main.emit("a", {
    type: "message.added",
    message: { id, role: "user", origin, source: null, content: [{ type: "text", text }], createdAt: 1 },
  });
}
const replied = (main: ScriptedMain, messageId: string) =>
  main.emit("a", { type: "text.delta", messageId, text: messageId });
const keys = (main: ScriptedMain) => answerTo(asked, main.view("a"))?.map((item) => item.key);

describe("the answer to a quick prompt", () => {
  it("is what follows it, up to the next prompt", () => {
    const main = new ScriptedMain();
    prompted(main, "u0", "before", "typed");
    replied(main, "not this");
    prompted(main, "u1", asked.text);
    replied(main, "this");
    prompted(main, "u2", "after", "typed");
    replied(main, "nor this");
    expect(keys(main)).toEqual(["this"]);
  });

  // Bug: the answer to the same question asked earlier, shown as if it were the new one.
  it("is not there while the prompt waits, though the same was asked before", () => {
    const main = new ScriptedMain();
    prompted(main, "u1", asked.text);
    replied(main, "old");
    const { inputId, text } = asked;
    main.emit("a", { type: "input.queued", input: { inputId, text, origin: "quick", source: null } });
    expect(answerTo(asked, main.view("a"))).toBeNull();
  });

  it("to a command is the command's own", () => {
    const main = new ScriptedMain();
    main.emit("a", { type: "command.answered", line: "/help", output: "…", isError: false });
    expect(answerTo({ conversationId: "a", inputId: null, text: " /help" }, main.view("a"))).toMatchObject([
      { kind: "command", line: "/help" },
    ]);
  });
});

describe("the quick window", () => {
  it("follows the conversation that main chose for the prompt", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    const taken = state.submit(asked.text);
    await main.answer("conversation.submit", { conversationId: "a", inputId: "i" });
    prompted(main, "u1", asked.text);
    await main.answer("conversation.attach", main.view("a"));
    expect(await taken).toBe(true);
    main.push({ type: "events", events: [replied(main, "now")] });
    const view = state.view.get();
    expect(view && answerTo(asked, view)).toMatchObject([{ key: "now", text: "now" }]);
  });

  it("is empty again when it is opened anew and nothing goes on", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    void state.submit("x");
    await main.answer("conversation.submit", { conversationId: "a", inputId: "i" });
    let opened = 0;
    state.opened.subscribe(() => opened++);
    main.push({ type: "quick-opened", selection: null, conversation: null, maxHeightPx: 420 });
    expect(state.asked.get()).toBeNull();
    expect(opened).toBe(1);
  });

  it("shows the last prompt and its answer again while its conversation goes on", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    prompted(main, "u1", "first");
    replied(main, "one");
    prompted(main, "u2", "second", "typed");
    replied(main, "two");
    const conversation = { conversationId: "a", title: "A", usedAt: 1, isGoingOn: true };
    main.push({ type: "quick-opened", selection: "words", conversation, maxHeightPx: 300 });
    await main.answer("conversation.attach", main.view("a"));
    expect(state.asked.get()).toMatchObject({ conversationId: "a", text: "second" });
    expect(state.opening.get()).toMatchObject({ selection: "words", maxHeightPx: 300 });
    main.push({ type: "quick-room", maxHeightPx: 150 });
    expect(state.opening.get()).toMatchObject({ selection: "words", maxHeightPx: 150 });
  });

  it("shows what was said into it, once it is a prompt", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    const heard = state.listen("start");
    await main.answer("quick.listen", { conversationId: "a" });
    await heard;
    main.push({ type: "voice", voice: { ...voiceSnapshot, now: voiceOn({ isQuick: true }) } });
    await main.answer("conversation.attach", main.view("a"));
    expect(state.asked.get()).toBeNull();
    main.push({ type: "events", events: [prompted(main, "u1", "what did I say", "voice")] });
    expect(state.asked.get()).toMatchObject({ conversationId: "a", text: "what did I say" });
  });

  it("shows that it listens wherever that goes, and nothing of what listens for the main window", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    main.push({ type: "voice", voice: { ...voiceSnapshot, now: voiceOn() } });
    expect(state.listening.get()).toBeNull();
    main.push({ type: "voice", voice: { ...voiceSnapshot, now: voiceOn({ isQuick: true }) } });
    await main.answer("conversation.attach", main.view("a"));
    expect(state.listening.get()).toMatchObject({ conversationId: "a" });
    main.push({ type: "events", events: [prompted(main, "u1", "the first one", "voice")] });
    main.push({ type: "quick-begun" });
    main.push({
      type: "voice",
      voice: { ...voiceSnapshot, now: voiceOn({ conversationId: "b", isQuick: true }) },
    });
    await main.answer("conversation.attach", main.view("b"));
    expect(state.asked.get()).toBeNull();
    expect(state.listening.get()).toMatchObject({ conversationId: "b" });
    expect(state.view.get()?.conversationId).toBe("b");
    const typed: string[] = [];
    state.dictated.subscribe((text) => typed.push(text));
    main.push({ type: "dictated", conversationId: "b", text: "buy milk", isTrial: false });
    expect(typed).toEqual(["buy milk"]);
  });

  it("begins another conversation by `/new`, and asks nobody", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    const taken = state.submit("/new");
    await main.answer("quick.new", undefined);
    expect(await taken).toBe(true);
    expect(state.asked.get()).toBeNull();
  });
});
