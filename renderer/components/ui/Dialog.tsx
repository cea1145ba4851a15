import { type ReactNode, type RefObject, useEffect } from "react";

interface DialogProps {
  /** For whoever closes it: `dialog.current?.close()`. */
  dialog: RefObject<HTMLDialogElement | null>;
  className: string | undefined;
  testId: string;
  /** The id of its heading. */
  titleId: string;
  /** It was closed, however: with Esc, too. */
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the window, from its first rendering on. */
export function Dialog({ dialog, className, testId, titleId, onClose, children }: DialogProps) {
  useEffect(() => dialog.current?.showModal(), [dialog]);
  return (
    <dialog
      ref={dialog}
      className={className}
      data-testid={testId}
      aria-labelledby={titleId}
      onClose={onClose}
      // Esc closes the dialog and must not reach the window, where it stops the run.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>
  );
}
