import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from "react";

/** A native popover with a menu in it: placed below its button, left by Esc, Tab or a click elsewhere. */
export function usePopover(
  box: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  onClose: () => void,
) {
  useLayoutEffect(() => {
    const [menu, button] = [box.current, anchor.current];
    if (!menu || !button) return;
    menu.showPopover();
    const at = button.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const { innerWidth, innerHeight } = globalThis.window;
    menu.style.left = `${Math.max(4, Math.min(at.left, innerWidth - width - 4))}px`;
    const below = at.bottom + 4;
    menu.style.top = `${below + height > innerHeight ? Math.max(4, at.top - height - 4) : below}px`;
    const items = menu.querySelectorAll<HTMLElement>('[role^="menuitem"]');
    (menu.querySelector<HTMLElement>('[aria-checked="true"]') ?? items[0])?.focus();
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

const isElement = (one: Element): one is HTMLElement => one instanceof HTMLElement;
