import { useEffectEvent, useLayoutEffect } from "react";
import { type WindowAction, windowActionOf, worksOverDialogs } from "../../state/keys/window-keys.ts";

/** What has letters of its own. */
const fields = 'input, textarea, select, [contenteditable="true"]';

/** The keys that work wherever the focus is. @param questionMark also alone. Esc comes here unless something nearer (the completion, an input method) used it. */
export function useKeys(actions: Readonly<Record<WindowAction, () => void>>, questionMark: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const action = windowActionOf(event);
    // A dialog has the other keys to itself, also where what had the focus in it is gone: Esc closes it and stops no run.
    if (document.querySelector("dialog[open]") && !worksOverDialogs(action)) return;
    if (action === null) return;
    const isAlone = !event.ctrlKey && !event.metaKey;
    if (event.key === "?" && isAlone && (!questionMark || isField(event.target))) return;
    event.preventDefault();
    // Who holds it down has answered one, not the next as well.
    if (event.repeat && (action === "allow" || action === "deny")) return;
    actions[action]();
  });
  // With the first picture: a key pressed as soon as the window is seen counts.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(fields) !== null;
