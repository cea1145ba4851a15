import { type RefObject, useCallback, useEffect } from "react";

/** As near to the start as asks for more, in CSS pixels: before the reader gets there. */
const nearPx = 600;

interface Earlier {
  scroller: RefObject<HTMLDivElement | null>;
  hasEarlier: boolean;
  load: () => Promise<void>;
}

/** Loads what stands before when the reader comes near the start. @returns loads it at once */
export function useEarlier({ scroller, hasEarlier, load }: Earlier): () => void {
  const loadNow = useCallback(() => void load(), [load]);

  useEffect(() => {
    const box = scroller.current;
    if (!box || !hasEarlier) return;
    const onScroll = () => {
      if (box.scrollTop < nearPx) loadNow();
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => box.removeEventListener("scroll", onScroll);
  }, [scroller, hasEarlier, loadNow]);
  return loadNow;
}

/** The row of an item, by its key; of a call that is folded away, the line that it is folded into. */
export const rowOf = (box: HTMLElement, key: string): HTMLElement | null =>
  [...box.querySelectorAll<HTMLElement>("[data-row]")].find(
    ({ dataset }) => dataset.row === key || dataset.calls?.split("\n").includes(key),
  ) ?? null;
