// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AttachmentChoice } from "../../../../../shared/conversation/attachments.ts";
import { act } from "../react-act.ts";
import { WindowRig } from "../window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

const box = () => rig.one('[data-testid="composer"]');
const show = (conversationId: string) =>
  act(async () => {
    rig.state.show(conversationId);
    await rig.main.answer("conversation.attach", rig.main.view(conversationId));
  });
const visitOther = async () => {
  await show("b");
  await show("a");
};
const send = () => rig.press(box(), "Enter");
const choice: AttachmentChoice = {
  ...{ reference: "file:1", label: "notes.txt", detail: "file" },
  file: { kind: "text", bytes: 5 },
};
const dock = () => rig.one('[data-testid="dock"]').textContent;
const submitted = () => rig.main.calls.filter(({ route }) => route === "conversation.submit");

describe("the text box of a conversation that was left and is shown again", () => {
  // Bug: what had been sent stood in the box again, ready to be sent twice.
  it("is empty once what was sent before is taken", async () => {
    await rig.open();
    await rig.type(box(), "sent");
    await send();
    await visitOther();
    expect(box()).toHaveProperty("value", "sent");
    await act(() => rig.main.answer("conversation.submit", { conversationId: "a", inputId: "i" }));
    expect(box()).toHaveProperty("value", "");
    await send();
    expect(submitted()).toEqual([]);
  });

  // Bug: Enter sent a prompt a second time while main still read its files.
  it("sends nothing twice that is still being taken", async () => {
    await rig.open();
    await rig.type(box(), "sent");
    await send();
    await visitOther();
    await send();
    expect(submitted()).toHaveLength(1);
  });

  it("has nothing of what was sent that a key brings back, neither words nor files", async () => {
    await rig.open({ draft: "sent", draftAttached: [choice] });
    await send();
    await visitOther();
    expect(dock()).toContain("notes.txt");
    await act(() => rig.main.answer("conversation.submit", { conversationId: "a", inputId: "i" }));
    await act(async () => {
      const undo = { key: "z", code: "KeyZ", ctrlKey: true, bubbles: true, cancelable: true };
      box().dispatchEvent(new KeyboardEvent("keydown", undo));
    });
    expect(box()).toHaveProperty("value", "");
    expect(dock()).not.toContain("notes.txt");
  });

  it("keeps what was typed since, and what was refused", async () => {
    await rig.open();
    await rig.type(box(), "sent");
    await send();
    await visitOther();
    await rig.type(box(), "sent, and more");
    await act(() => rig.main.refuse("conversation.submit", "No."));
    expect(box()).toHaveProperty("value", "sent, and more");
    await send();
    await rig.type(box(), "sent, and more and on");
    await act(() => rig.main.answer("conversation.submit", { conversationId: "a", inputId: "i" }));
    expect(box()).toHaveProperty("value", " and on");
  });

  // Bug: a file that was ready only then was not to be seen, and was left out of the prompt.
  it("has the file that was ready only then, beside what was typed since", async () => {
    await rig.open();
    const pasted = new File(["words"], "notes.txt", { type: "text/plain" });
    const clipboardData = { files: [pasted], items: [], types: ["Files"], getData: () => "" };
    await act(async () => {
      box().dispatchEvent(
        Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }),
      );
    });
    await act(() => new Promise((done) => setTimeout(done, 20)));
    const { answer } = rig.main.take("attachment.add");
    await visitOther();
    await rig.type(box(), "look");
    await act(async () => answer({ ok: true, value: choice }));
    expect(dock()).toContain("notes.txt");
    expect(box()).toHaveProperty("value", "look");
    await send();
    expect(rig.main.take("conversation.submit").input).toMatchObject({
      conversationId: "a",
      text: "look",
      attachments: ["file:1"],
    });
  });
});
