import { type RefObject, useEffect, useEffectEvent } from "react";

/** What has keys, or pastes, of its own. */
const ownKeys =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="slider"], [popover], [data-testid="approval"], [data-testid="question"]';

/** What is typed or pasted while no field has the keyboard goes into the text box. */
export function useTypeAnywhere(
  box: RefObject<HTMLTextAreaElement | null>,
  onPaste: (event: ClipboardEvent) => void,
): void {
  const isFree = () => {
    const active = document.activeElement;
    return document.querySelector("dialog[open]") === null && (active?.closest(ownKeys) ?? null) === null;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented, isComposing } = event;
    if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey || [...key].length !== 1) return;
    // A space presses the button that has the focus.
    if (key === " " && document.activeElement !== document.body) return;
    // The letter itself follows the focus.
    if (isFree()) box.current?.focus();
  });
  const onPasted = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || !isFree()) return;
    box.current?.focus();
    onPaste(event);
  });
  useEffect(() => {
    const typed = (event: KeyboardEvent) => onKey(event);
    const pasted = (event: ClipboardEvent) => onPasted(event);
    window.addEventListener("keydown", typed);
    window.addEventListener("paste", pasted);
    return () => {
      window.removeEventListener("keydown", typed);
      window.removeEventListener("paste", pasted);
    };
  }, []);
}
