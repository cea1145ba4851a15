import { expect, test } from "vitest";
import { heldAlone, pressedKey } from "../../../../../renderer/state/keys/pressed-key.ts";

const none = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };

test.each([
  [
    "Ctrl and Shift with Space",
    { key: " ", code: "Space", ctrlKey: true, shiftKey: true },
    "Ctrl+Shift+Space",
  ],
  ["a letter, by what it writes", { key: "y", code: "KeyZ", altKey: true }, "Alt+Y"],
  ["a letter that Alt changes", { key: "∑", code: "KeyW", altKey: true }, "Alt+W"],
  ["a digit that Shift changes", { key: "!", code: "Digit1", ctrlKey: true, shiftKey: true }, "Ctrl+Shift+1"],
  ["a function key alone", { key: "F8", code: "F8" }, "F8"],
  ["Page Up with Meta", { key: "PageUp", code: "PageUp", metaKey: true }, "Meta+PageUp"],
])("%s is a shortcut", (_what, event, text) => {
  expect(pressedKey({ ...none, ...event })).toEqual({ kind: "key", text });
});

test.each([
  ["a letter alone", { key: "k", code: "KeyK" }, "K"],
  ["a letter with Shift alone", { key: "K", code: "KeyK", shiftKey: true }, "Shift+K"],
  ["a key that Parley cannot name", { key: ";", code: "Semicolon", ctrlKey: true }, "Ctrl+;"],
])("%s is none, and says which it is", (_what, event, text) => {
  expect(pressedKey({ ...none, ...event })).toEqual({ kind: "unfit", text });
});

test("Ctrl and Alt alone are the beginning of one", () => {
  const event = { ...none, key: "Alt", code: "AltLeft", ctrlKey: true, altKey: true };
  expect(pressedKey(event)).toEqual({ kind: "held", text: "Ctrl+Alt" });
});

test("only a key on the right can be held alone to talk", () => {
  expect(["ControlRight", "AltRight", "ShiftLeft", "KeyA"].map(heldAlone)).toEqual([
    "CtrlRight",
    "AltRight",
    null,
    null,
  ]);
});
