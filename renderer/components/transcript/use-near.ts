import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";

/**
 * Whether a row is in sight or near to it, as Chromium has it: other rows are neither laid out nor painted
 * (`content-visibility`). What has the keyboard or is selected is near wherever it is.
 */
export function useNear(row: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(!tellsNear);
  const wasNear = useRef(false);
  // Before the first picture, with which Chromium tells it.
  useLayoutEffect(() => {
    const box = row.current;
    if (!box || !tellsNear) return;
    const onChange = (event: Event) => {
      if (event.target !== box || !(event instanceof ContentVisibilityAutoStateChangeEvent)) return;
      startTransition(() => setNear(!event.skipped));
    };
    box.addEventListener("contentvisibilityautostatechange", onChange);
    return () => box.removeEventListener("contentvisibilityautostatechange", onChange);
  }, [row]);
  useEffect(() => {
    const box = row.current;
    if (!box || !tellsNear) return;
    if (isNear) {
      wasNear.current = true;
      return;
    }
    if (!wasNear.current) return;
    const asked = requestIdleCallback(() => {
      wasNear.current = false;
      forgetLayout(box);
    });
    return () => cancelIdleCallback(asked);
  }, [isNear, row]);
  return isNear;
}

const tellsNear = "oncontentvisibilityautostatechange" in document.documentElement;

/**
 * Chromium keeps the layout of a row that left, which is most of the memory that a long reply takes. What is put in anew has
 * none until it is near again; the row keeps its height. What screen readers say when it is put in stays.
 */
function forgetLayout(row: HTMLElement): void {
  if (row.contains(document.activeElement) || row.querySelector('[role="alert"], [aria-live]')) return;
  row.replaceChildren(...row.childNodes);
}
