// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useStickToBottom } from "../../../../renderer/components/transcript/use-stick-to-bottom.ts";
import { act } from "./react-act.ts";

let root: Root;
let place: HTMLElement;
let observers: { grow(): void; isOn: boolean }[];

beforeEach(() => {
  observers = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #own;
      constructor(grow: () => void) {
        this.#own = { grow, isOn: true };
        observers.push(this.#own);
      }
      observe() {}
      disconnect() {
        this.#own.isOn = false;
      }
    },
  );
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
  vi.unstubAllGlobals();
});

function Box() {
  const { scroller, content, isStuck, release } = useStickToBottom();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a test presses it
    // biome-ignore lint/a11y/noStaticElementInteractions: a test presses it
    <div ref={scroller} data-stuck={isStuck} onClick={release}>
      <div ref={content} />
    </div>
  );
}

/** A box of 600 pixels; its content is as high as a test says. */
async function show() {
  await act(async () => root.render(<Box />));
  const box = place.querySelector<HTMLElement>("[data-stuck]");
  if (!box) throw new Error("There is no box.");
  let height = 600;
  Object.defineProperty(box, "clientHeight", { get: () => 600 });
  Object.defineProperty(box, "scrollHeight", { get: () => height });
  return {
    box,
    grow: (to: number) => {
      height = to;
      for (const { grow } of observers) grow();
    },
    /** The content grew before its box has heard of it. */
    growUnseen: (to: number) => {
      height = to;
    },
    scrollTo: (top: number) =>
      act(async () => {
        box.scrollTop = top;
        box.dispatchEvent(new Event("scroll"));
      }),
    isStuck: () => box.dataset.stuck === "true",
  };
}

it("follows growing content until the user scrolls up, and again once they are back at the end", async () => {
  const { box, grow, scrollTo, isStuck } = await show();
  grow(2000);
  expect(box.scrollTop).toBe(2000);
  await scrollTo(1400);
  await scrollTo(900);
  expect(isStuck()).toBe(false);
  await act(async () => grow(3000));
  expect(box.scrollTop).toBe(900);
  await scrollTo(2400);
  expect(isStuck()).toBe(true);
});

// Bug: who scrolled up before the browser had told that the end was reached was taken back there as more was drawn.
it("lets go when the user scrolls up before the scroll to the end has had its event", async () => {
  const { box, grow, scrollTo, isStuck } = await show();
  grow(2000);
  await scrollTo(200);
  expect(isStuck()).toBe(false);
  await act(async () => grow(2500));
  expect(box.scrollTop).toBe(200);
});

it("is not let go by content that grew between a scroll and its event", async () => {
  const { growUnseen, scrollTo, isStuck } = await show();
  growUnseen(2000);
  await scrollTo(1400);
  growUnseen(3000);
  await scrollTo(1400);
  expect(isStuck()).toBe(true);
});

// Bug: "Jump to latest" stood there with nothing to scroll.
it("says that the end is in sight where there is nothing below", async () => {
  const { box, grow, scrollTo, isStuck } = await show();
  await act(async () => box.click());
  expect(isStuck()).toBe(true);
  await act(async () => grow(2000));
  expect(isStuck()).toBe(false);
  await scrollTo(500);
  await act(async () => grow(540));
  expect(isStuck()).toBe(true);
});

it("watches nothing once it is gone", async () => {
  await show();
  await act(async () => root.render(null));
  expect(observers.map(({ isOn }) => isOn)).toEqual([false]);
});
