import { expect, test } from "vitest";
import { latinKey } from "../../../../../renderer/state/keys/latin-key.ts";
import { windowActionOf } from "../../../../../renderer/state/keys/window-keys.ts";

test.each([
  ["a Latin keyboard", { key: "K", code: "KeyK" }, "k"],
  ["one whose letters lie elsewhere", { key: "k", code: "KeyV" }, "k"],
  ["a Russian one", { key: "л", code: "KeyK" }, "k"],
  ["a Russian one with Shift", { key: "Н", code: "KeyY" }, "y"],
  ["a Hebrew one", { key: "ל", code: "KeyK" }, "k"],
  ["a Russian one, at the full stop's place", { key: "ю", code: "Period" }, "."],
  ["a key by its name", { key: "Escape", code: "Escape" }, "escape"],
  ["a letter of its own", { key: "ö", code: "Semicolon" }, "ö"],
  ["no place told", { key: "л" }, "л"],
])("on %s", (_, pressed, key) => {
  expect(latinKey(pressed)).toBe(key);
});

// Bug: on a keyboard without Latin letters no key of the window did anything.
test("the window's keys work on a Russian keyboard, and a plain letter stays a letter", () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const held = { ...none, ctrlKey: true };
  expect(windowActionOf({ ...held, key: "л", code: "KeyK" })).toBe("palette");
  expect(windowActionOf({ ...held, shiftKey: true, key: "Н", code: "KeyY" })).toBe("allow");
  expect(windowActionOf({ ...none, key: "л", code: "KeyK" })).toBeNull();
});
