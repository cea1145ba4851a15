import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from "react";
import { useSpokenNames } from "./spoken-names.ts";

/**
 * A native popover with a menu in it: placed below its button, left by Esc, Tab or a click elsewhere.
 * @param byVoice what stands in it can be pressed by saying its name, too
 */
export function usePopover(
  box: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  onClose: () => void,
  byVoice = false,
) {
  useSpokenNames(box, byVoice);
  useLayoutEffect(() => {
    const [menu, button] = [box.current, anchor.current];
    if (!menu || !button) return;
    menu.showPopover();
    place(menu, button);
    const placeAgain = () => place(menu, button);
    window.addEventListener("resize", placeAgain);
    const items = menu.querySelectorAll<HTMLElement>('[role^="menuitem"]');
    (menu.querySelector<HTMLElement>('[aria-checked="true"]') ?? items[0] ?? menu).focus();
    return () => window.removeEventListener("resize", placeAgain);
  }, [box, anchor]);
  useEffect(() => {
    const menu = box.current;
    const closed = (event: Event) => {
      if (event instanceof ToggleEvent && event.newState === "closed") onClose();
    };
    menu?.addEventListener("toggle", closed);
    return () => menu?.removeEventListener("toggle", closed);
  }, [box, onClose]);

  return (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll('[role^="menuitem"]') ?? [])].filter(isElement);
    const index = items.findIndex((item) => item.matches(":focus"));
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      box.current?.hidePopover();
      anchor.current?.focus();
    } else if (next === undefined) return;
    else items.at(next % items.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Below its button, inside the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  menu.style.left = `${Math.max(4, Math.min(at.left, innerWidth - width - 4))}px`;
  const below = at.bottom + 4;
  // Above its button it grows upwards: what comes later into it stays in the window.
  const isAbove = below + height > innerHeight && at.top - 4 > height;
  menu.style.bottom = isAbove ? `${innerHeight - at.top + 4}px` : "";
  menu.style.top = isAbove ? "" : `${Math.max(4, Math.min(below, innerHeight - height - 4))}px`;
}

const isElement = (one: Element): one is HTMLElement => one instanceof HTMLElement;
