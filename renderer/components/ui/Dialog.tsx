import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { windowActionOf, worksOverDialogs } from "../../state/keys/window-keys.ts";
import { announcerPlaces } from "./announcer-places.ts";
import { useSpokenNames } from "./spoken-names.ts";

interface DialogProps {
  /** For whoever closes it: `dialog.current?.close()`. */
  dialog: RefObject<HTMLDialogElement | null>;
  className: string | undefined;
  testId: string;
  /** The id of its heading. */
  titleId: string;
  /** What stands in it can be pressed by saying its name: nothing in it asks for a consent that speech may not give. */
  byVoice?: boolean;
  /** It was closed, however: with Esc, too. */
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the window, from its first rendering on. */
export function Dialog({
  dialog,
  className,
  testId,
  titleId,
  byVoice = false,
  onClose,
  children,
}: DialogProps) {
  useSpokenNames(dialog, byVoice);
  const announcer = useRef<HTMLDivElement>(null);
  // What is outside of it is nothing to a screen reader while it is open: news is told inside.
  useEffect(() => (announcer.current ? announcerPlaces.open(announcer.current) : undefined), []);
  useEffect(() => {
    const box = dialog.current;
    box?.showModal();
    // Closing gives the keyboard back before what is behind can take it: Chromium then leaves a text field without a caret, and
    // what is typed there goes nowhere.
    const putCaret = ({ target }: FocusEvent) => {
      if (target instanceof Element && !box?.contains(target) && isTextField(target)) {
        target.setSelectionRange(target.selectionStart, target.selectionEnd);
      }
    };
    document.addEventListener("focusin", putCaret);
    return () => document.removeEventListener("focusin", putCaret);
  }, [dialog]);
  return (
    <dialog
      ref={dialog}
      className={className}
      data-testid={testId}
      aria-labelledby={titleId}
      onClose={onClose}
      // Esc closes the dialog and must not reach the window, where it stops the run.
      onKeyDown={(event) => {
        if (!worksOverDialogs(windowActionOf(event))) event.stopPropagation();
      }}
    >
      {children}
      <div ref={announcer} className="visually-hidden" />
    </dialog>
  );
}

/** One that has a caret: other fields know no selection. */
const isTextField = (one: Element): one is HTMLTextAreaElement | HTMLInputElement =>
  one instanceof HTMLTextAreaElement || (one instanceof HTMLInputElement && one.selectionStart !== null);
