import { useEffect } from "react";

/** So many places are remembered. */
const mostPlaces = 12;

/**
 * What had the keyboard goes away, such as a card with its answer: the keyboard goes to what has the same `data-place`
 * and takes its place, or else back to where it was before, and never to a card that waits, which nobody may have read;
 * where nothing of that is left, to `fallback`.
 * @param fallback usually the text box; null while there is none
 */
export function useFocusReturn(fallback: () => HTMLElement | null): void {
  useEffect(() => {
    let places: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      places = [...places.filter((one) => one !== target), target].slice(-mostPlaces);
    };
    const giveBack = () => {
      timer = undefined;
      const last = places.at(-1);
      if (document.activeElement !== document.body || !last || isThere(last)) return;
      const dialog = document.querySelector<HTMLElement>("dialog[open]");
      places = places.filter(isThere);
      const before = places.findLast(
        (one) => !one.closest("[data-waits]") && (!dialog || dialog.contains(one)),
      );
      (heirOf(last) ?? before ?? dialog ?? fallback())?.focus({ preventScroll: true });
    };
    // Whoever takes something away may have a better place for the keyboard: it comes first. What changes meanwhile puts nothing
    // off: while a reply streams, that would be for long.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onChange = () => {
      if (document.activeElement === document.body && places.length > 0) timer ??= setTimeout(giveBack, 0);
    };
    const changes = new MutationObserver(onChange);
    changes.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ["disabled", "hidden", "open"],
    });
    document.addEventListener("focusin", remember);
    // Of what is disabled or hidden Chromium takes the keyboard with the next picture, when nothing changes any more.
    document.addEventListener("focusout", onChange);
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", onChange);
    };
  }, [fallback]);
}

/** What stands for the same thing now. */
function heirOf({ dataset: { place } }: HTMLElement): HTMLElement | undefined {
  if (place === undefined) return undefined;
  const all = document.querySelectorAll<HTMLElement>("[data-place]");
  return [...all].find((one) => one.dataset.place === place && isThere(one));
}

/** Whether it can have the keyboard. */
const isThere = (one: HTMLElement): boolean =>
  one.isConnected && !one.matches(":disabled") && (one.checkVisibility?.() ?? true);
