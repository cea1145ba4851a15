import { useEffect } from "react";

/** The parts of the window, in the order of F6, and what takes the keyboard in each: the first of these that is there. */
const panes = [
  { part: "nav[data-pane]", first: ["[data-stop][aria-current]", "[data-stop]", "button"] },
  { part: "main [data-pane=conversation]", first: ["[role=log]", "[tabindex='0']", "button"] },
  { part: "main [data-pane=composer]", first: ["[data-testid=composer]"] },
  { part: "main + aside", first: ["button, summary, input, select"] },
] as const;

/** F6 takes the keyboard from part to part, Shift+F6 back; in each it returns to where it was. */
export function usePanes(): void {
  useEffect(() => {
    const left = new WeakMap<Element, HTMLElement>();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented)
        return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      const shown = panes.flatMap(({ part, first }) => {
        const place = document.querySelector<HTMLElement>(part);
        return place && isInSight(place) ? [{ place, first }] : [];
      });
      const active = document.activeElement;
      const here = shown.findIndex(({ place }) => place.contains(active));
      const step = event.shiftKey ? -1 : 1;
      const start = here < 0 && step < 0 ? 0 : here;
      const next = shown.at((start + step + shown.length) % shown.length);
      if (active instanceof HTMLElement && shown[here]) left.set(shown[here].place, active);
      if (next) toPane(next.place, next.first, left.get(next.place));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function toPane(place: HTMLElement, first: readonly string[], before: HTMLElement | undefined): void {
  const isThere = before?.isConnected && place.contains(before) && isInSight(before);
  const found = first.flatMap((one) => [...place.querySelectorAll<HTMLElement>(one)]).find(isInSight);
  const target = isThere ? before : (found ?? place);
  if (target === place && place.tabIndex < 0) place.tabIndex = -1;
  target.focus();
}

/** Drawn, and not folded away beside the window. */
function isInSight(one: HTMLElement): boolean {
  const { width, height, right, left } = one.getBoundingClientRect();
  return width > 0 && height > 0 && right > 0 && left < innerWidth && (one.checkVisibility?.() ?? true);
}
