// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { stillAfterMs, stillCaret } from "../../../../renderer/state/still-caret.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("the caret stands still when nothing was typed or clicked for a while, and blinks again with the next key", () => {
  vi.useFakeTimers();
  const root = document.documentElement;
  const box = document.body.appendChild(document.createElement("textarea"));
  // What a box keeps to itself counts, too.
  box.addEventListener("keydown", (event) => event.stopPropagation());
  stillCaret(root);
  vi.advanceTimersByTime(stillAfterMs - 1);
  expect(root.dataset.caret).toBeUndefined();
  for (const type of ["keydown", "input", "pointerdown", "focusin"]) {
    box.dispatchEvent(new Event(type, { bubbles: true }));
    vi.advanceTimersByTime(stillAfterMs - 1);
    expect(root.dataset.caret).toBeUndefined();
  }
  vi.advanceTimersByTime(1);
  expect(root.dataset.caret).toBe("still");
  box.dispatchEvent(new Event("keydown", { bubbles: true }));
  expect(root.dataset.caret).toBeUndefined();
});
