import { describe, expect, it } from "vitest";
import { EditHistory, type Written } from "../../../../../renderer/state/composer/edit-history.ts";

const none: Written["attached"] = [];
const written = (text: string, attached = none): Written => ({ text, caret: text.length, attached });

function typed(history: EditHistory, text: string, from = "") {
  for (let end = from.length + 1; end <= text.length; end++) history.note(written(text.slice(0, end)), true);
}

describe("the way back through a draft", () => {
  it("takes typing back word by word, and forward again", () => {
    const history = new EditHistory(written(""));
    typed(history, "look at it");
    const back = [history.undo(), history.undo(), history.undo(), history.undo()].map((one) => one?.text);
    expect(back).toEqual(["look at ", "look ", "", undefined]);
    const forward = [history.redo(), history.redo(), history.redo(), history.redo()].map((one) => one?.text);
    expect(forward).toEqual(["look ", "look at ", "look at it", undefined]);
  });

  // Bug: what was deleted letter by letter right after it was typed did not come back whole: its last word was gone for good.
  it("takes deleting back apart from the typing before it, and typing apart from deleting", () => {
    const history = new EditHistory(written(""));
    typed(history, "look at it");
    for (const text of ["look at i", "look at ", "look at"]) history.note(written(text), true);
    typed(history, "look attic", "look at");
    const back = Array.from({ length: 6 }, () => history.undo()?.text);
    expect(back).toEqual(["look at", "look at it", "look at ", "look ", "", undefined]);
  });

  it("goes through what the program wrote, and what was attached", () => {
    const attached = [{ reference: "attached:1", label: "a.txt", detail: "" }];
    const history = new EditHistory(written(""));
    typed(history, "see @n");
    history.note(written("see @notes.md "), false);
    history.note(written("see @notes.md ", attached), false);
    expect(history.undo()).toMatchObject({ text: "see @notes.md ", attached: [] });
    expect(history.undo()?.text).toBe("see @n");
    expect(history.redo()?.text).toBe("see @notes.md ");
    expect(history.redo()?.attached).toEqual(attached);
  });

  it("forgets what was undone when something else is typed, and all when it was sent", () => {
    const history = new EditHistory(written(""));
    typed(history, "one");
    history.undo();
    typed(history, "two");
    expect(history.redo()).toBeNull();
    history.forget(written(""));
    expect(history.undo()).toBeNull();
  });

  it("keeps a paste apart from the typing around it", () => {
    const history = new EditHistory(written(""));
    typed(history, "a");
    history.note(written("a pasted text"), true);
    typed(history, "a pasted text!", "a pasted text");
    expect(history.undo()?.text).toBe("a pasted text");
    expect(history.undo()?.text).toBe("a");
  });
});
