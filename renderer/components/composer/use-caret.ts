import { type RefObject, useLayoutEffect, useRef, useState } from "react";

export interface Caret {
  /** UTF-16 units before it; never more than the text has. */
  at: number;
  /** The user has moved it. */
  follow: () => void;
  /** Puts it there once the box shows the text that is being set. */
  put: (at: number) => void;
}

/** Where the caret stands in a text box. A text that is set anew would put it to its end. */
export function useCaret(box: RefObject<HTMLTextAreaElement | null>, text: string): Caret {
  const [at, setAt] = useState(text.length);
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null || box.current?.value !== text) return;
    box.current.setSelectionRange(wanted.current, wanted.current);
    wanted.current = null;
  });
  return {
    at: Math.min(at, text.length),
    follow: () => {
      // On its way to a place of its own: where it stands now belongs to the text before.
      if (box.current && wanted.current === null) setAt(box.current.selectionEnd);
    },
    put: (next) => {
      wanted.current = next;
      setAt(next);
    },
  };
}
