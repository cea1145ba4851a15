import { type RefObject, use, useLayoutEffect, useRef, useState } from "react";
import { freshMs } from "../../state/conversation/answer-guard.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";

interface Fresh {
  /** It appeared or moved just now: no press counts. */
  isFresh: boolean;
  /** The same at this very moment, also where it moved and nobody has noticed. */
  takesPress: () => boolean;
  /** Whether a key counts that goes to the card because it has the keyboard. */
  takesKey: () => boolean;
}

/** Less than this is no other place, in CSS pixels. */
const samePx = 2;

/** Watches where a card that waits stands. @param id of what it asks */
export function useFresh(card: RefObject<HTMLElement | null>, id: string): Fresh {
  const { guard } = use(RowActionsContext);
  const [isFresh, setIsFresh] = useState(true);
  const look = useRef(() => {});

  useLayoutEffect(() => {
    const box = card.current;
    if (!box) return;
    let place = box.getBoundingClientRect();
    let timer: ReturnType<typeof setTimeout>;
    const beginFresh = () => {
      setIsFresh(true);
      clearTimeout(timer);
      timer = setTimeout(() => setIsFresh(false), freshMs);
    };
    look.current = () => {
      const now = box.getBoundingClientRect();
      const isSame = Math.abs(now.top - place.top) < samePx && Math.abs(now.left - place.left) < samePx;
      if (isSame) return;
      place = now;
      guard.moved(id);
      beginFresh();
    };
    guard.came(id, beginFresh);
    beginFresh();
    const onChange = () => look.current();
    // Whatever pushes it changes the size of something around it, or scrolls.
    const sizes = new ResizeObserver(onChange);
    for (let around: HTMLElement | null = box; around; around = around.parentElement) sizes.observe(around);
    document.addEventListener("scroll", onChange, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      sizes.disconnect();
      document.removeEventListener("scroll", onChange, { capture: true });
      guard.gone(id);
    };
  }, [card, id, guard]);

  const takesPress = () => {
    look.current();
    return guard.takes(id);
  };
  return { isFresh, takesPress, takesKey: () => guard.takesOwnKey(id) };
}
