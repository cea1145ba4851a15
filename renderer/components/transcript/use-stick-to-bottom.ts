import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { ScrollWish } from "../../state/obey.ts";
import { spokenNames } from "../ui/spoken-names.ts";

/** As near to the end as counts as being there, in CSS pixels. */
const nearPx = 48;

interface StickToBottom {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** The end is in sight, or follows: false once the user scrolled up to read. */
  isStuck: boolean;
  jump: () => void;
  /** Stays where it is, although the content grows. */
  release: () => void;
}

/**
 * Keeps the end of growing content in sight until the user scrolls up, and again once they are back at the end.
 * Only a movement upwards lets go: content that grew between a scroll and its event must not.
 */
export function useStickToBottom(): StickToBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  /** Where it was scrolled to last, by us at once, by others as of their event. */
  const lastTop = useRef(0);
  const [isStuck, setIsStuck] = useState(true);

  const goToEnd = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    lastTop.current = box.scrollTop;
  }, []);

  const jump = useCallback(() => {
    stuck.current = true;
    setIsStuck(true);
    goToEnd();
  }, [goToEnd]);

  const release = useCallback(() => {
    stuck.current = false;
    // With nothing below there is nowhere to jump to.
    setIsStuck(isAtEnd(scroller.current));
  }, []);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    const follow = () => {
      if (stuck.current) goToEnd();
      else setIsStuck(isAtEnd(box));
    };
    const onScroll = () => {
      if (isAtEnd(box)) stuck.current = true;
      else if (box.scrollTop < lastTop.current) stuck.current = false;
      lastTop.current = box.scrollTop;
      setIsStuck(stuck.current);
    };
    const growth = new ResizeObserver(follow);
    growth.observe(inner);
    growth.observe(box);
    box.addEventListener("scroll", onScroll, { passive: true });
    follow();
    return () => {
      growth.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [goToEnd]);

  return { scroller, content, isStuck, jump, release };
}

/** How far a page goes on: the last lines stay to be found again. */
const pageShare = 0.85;

/** Scrolls as somebody says: what is open on top, or this. @param jump to its end */
export function scrollAsSaid(way: ScrollWish, box: HTMLElement | null, jump?: () => void): void {
  const onTop = spokenNames.scroller;
  const scrolled = onTop ?? box;
  if (way === "end" && jump && !onTop) jump();
  else if (way === "end") scrolled?.scrollTo({ top: scrolled.scrollHeight });
  else if (way === "top") scrolled?.scrollTo({ top: 0 });
  else scrolled?.scrollBy({ top: (way === "down" ? 1 : -1) * scrolled.clientHeight * pageShare });
}

const isAtEnd = (box: HTMLElement | null): boolean =>
  box === null || box.scrollHeight - box.scrollTop - box.clientHeight < nearPx;
