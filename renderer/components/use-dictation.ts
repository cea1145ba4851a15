import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { insertWords } from "../state/dictation.ts";

interface DictationOptions {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** What is being said for this box; null while nothing is. */
  partial: string | null;
  /** The last utterance for it; each time `count` grows there is another one. */
  dictated: { text: string; count: number };
  onText: (text: string) => void;
}

interface Dictation {
  /** The text with what is being said in its place. */
  shown: string;
  /** The user's cursor has moved. */
  onSelect: () => void;
}

/** Spoken words for a text box: in their place while they are said, and part of the text when they are finished. */
export function useDictation({ box, text, partial, dictated, onText }: DictationOptions): Dictation {
  const [caret, setCaret] = useState(text.length);
  const seen = useRef(dictated.count);
  const wantedCaret = useRef<number | null>(null);
  const preview = partial === null ? null : insertWords(text, caret, partial);

  useEffect(() => {
    if (seen.current === dictated.count) return;
    seen.current = dictated.count;
    const next = insertWords(text, caret, dictated.text);
    wantedCaret.current = next.caret;
    setCaret(next.caret);
    onText(next.text);
    box.current?.focus();
  }, [dictated, text, caret, onText, box]);

  // A text that is set anew puts the cursor to its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each text that this hook has set
  useLayoutEffect(() => {
    if (wantedCaret.current === null || box.current?.value !== text) return;
    box.current.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = null;
  }, [text, partial]);

  return {
    shown: preview?.text ?? text,
    onSelect: () => {
      if (partial === null && box.current) setCaret(box.current.selectionEnd);
    },
  };
}
