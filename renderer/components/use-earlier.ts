import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** As near to the start as asks for more, in CSS pixels: before the reader gets there. */
const nearPx = 600;

interface Earlier {
  scroller: RefObject<HTMLDivElement | null>;
  /** Key of the first item. */
  firstKey: string | undefined;
  hasEarlier: boolean;
  load: () => Promise<void>;
}

/** Loads what stands before when the reader comes near the start, and keeps what they are reading where it is. */
export function useEarlier({ scroller, firstKey, hasEarlier, load }: Earlier): void {
  const first = useRef<{ key: string; top: number } | null>(null);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const before = first.current;
    const same = before ? rowOf(box, before.key) : null;
    if (before && same && before.key !== firstKey) box.scrollTop += same.offsetTop - before.top;
    const now = firstKey === undefined ? null : rowOf(box, firstKey);
    first.current = now && firstKey !== undefined ? { key: firstKey, top: now.offsetTop } : null;
  }, [scroller, firstKey]);

  useEffect(() => {
    const box = scroller.current;
    if (!box || !hasEarlier) return;
    const onScroll = () => {
      if (box.scrollTop < nearPx) void load();
    };
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => box.removeEventListener("scroll", onScroll);
  }, [scroller, hasEarlier, load]);
}

/** The row of an item, by its key. */
export const rowOf = (box: HTMLElement, key: string): HTMLElement | null =>
  box.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
