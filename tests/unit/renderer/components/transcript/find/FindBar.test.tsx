// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TranscriptItem } from "../../../../../../shared/conversation/transcript.ts";
import { act } from "../../react-act.ts";
import { WindowRig } from "../../window-rig.tsx";

const prompt = (key: string, text: string): TranscriptItem => ({
  ...{ kind: "user", key, text, origin: "typed", source: null, at: 1 },
});

let rig: WindowRig;
beforeEach(async () => {
  // This page marks nothing.
  vi.stubGlobal("Highlight", class {});
  vi.stubGlobal("CSS", { highlights: new Map() });
  rig = new WindowRig();
  await rig.open({ items: [prompt("p1", "one"), prompt("p2", "one")] });
});
afterEach(async () => {
  await rig.dispose();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const press = (target: Element, key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  });
const pressFind = () => press(document.body, "f", { ctrlKey: true });
const field = () => rig.one('[data-testid="find-text"]');
const count = () => rig.one('[data-testid="find-count"]').textContent;

// Bug: Enter that took a composed word went on to the next place, and Esc that gave one up closed the bar.
it("leaves Enter and Esc to an input method that is composing", async () => {
  await pressFind();
  await rig.type(field(), "one");
  expect(count()).toBe("2 of 2");
  await press(field(), "Enter", { isComposing: true });
  expect(count()).toBe("2 of 2");
  await press(field(), "Escape", { isComposing: true });
  expect(rig.all('[data-testid="find"]')).toHaveLength(1);
  await press(field(), "Enter");
  expect(count()).toBe("1 of 2");
  await press(field(), "Escape");
  expect(rig.all('[data-testid="find"]')).toEqual([]);
});

// Bug: what came while the bar was open was not counted, and whoever had scrolled on was scrolled back with every piece of it.
it("counts what comes, and leaves the page where it is scrolled to", async () => {
  await pressFind();
  await rig.type(field(), "one");
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  const marked = vi.fn();
  vi.stubGlobal(
    "Highlight",
    class {
      constructor() {
        marked();
      }
    },
  );
  await press(field(), "Enter");
  await vi.waitFor(() => expect(scrolled).toHaveBeenCalled());
  await act(() => new Promise((done) => setTimeout(done, 50)));
  scrolled.mockClear();
  marked.mockClear();
  const said = rig.main.emit("a", { type: "text.delta", messageId: "r1", text: "one more" });
  await act(async () => rig.main.push({ type: "events", events: [said] }));
  await vi.waitFor(() => expect(count()).toBe("1 of 3"));
  await vi.waitFor(() => expect(marked).toHaveBeenCalled());
  expect(scrolled).not.toHaveBeenCalled();
});

// Bug: on the page of a meeting it showed nothing, and came up by itself once that page was closed.
it("does not open where the page of a meeting stands in place of the conversation", async () => {
  await act(async () => rig.state.meeting.open("a"));
  expect(rig.all('[data-testid="transcript"]')).toEqual([]);
  await pressFind();
  await act(async () => void rig.state.closeMeeting());
  expect(rig.all('[data-testid="transcript"]')).toHaveLength(1);
  expect(rig.all('[data-testid="find"]')).toEqual([]);
});
