import { describe, expect, it } from "vitest";
import { answerTo, QuickState } from "../../../../renderer/state/quick-state.ts";
import type { PromptOrigin } from "../../../../shared/conversation/messages.ts";
import { ScriptedMain } from "./scripted-main.ts";

const asked = { conversationId: "a", inputId: "i", text: "what time is it" };

function prompted(main: ScriptedMain, id: string, text: string, origin: PromptOrigin = "quick"): void {
  main.emit("a", {
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

  it("is empty again when it is opened anew", async () => {
    const main = new ScriptedMain();
    const state = new QuickState(main.bridge);
    state.start();
    void state.submit("x");
    await main.answer("conversation.submit", { conversationId: "a", inputId: "i" });
    let opened = 0;
    state.opened.subscribe(() => opened++);
    main.push({ type: "focus-composer" });
    expect(state.asked.get()).toBeNull();
    expect(opened).toBe(1);
  });
});
