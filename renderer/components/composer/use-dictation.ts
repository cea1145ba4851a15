import { type RefObject, useEffect, useRef } from "react";
import { insertWords } from "../../state/voice/dictation.ts";

interface DictationOptions {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** Where the words belong, in UTF-16 units. */
  caret: number;
  /** What is being said for this box; null while nothing is. */
  partial: string | null;
  /** The last utterance for it; each time `count` grows there is another one. */
  dictated: { text: string; count: number };
  onText: (text: string, caret: number) => void;
}

/**
 * Spoken words for a text box: in their place while they are said, and part of the text when they are finished.
 * @returns the text with what is being said in its place
 */
export function useDictation({ box, text, caret, partial, dictated, onText }: DictationOptions): string {
  const seen = useRef(dictated.count);
  useEffect(() => {
    if (seen.current === dictated.count) return;
    seen.current = dictated.count;
    const next = insertWords(text, caret, dictated.text);
    onText(next.text, next.caret);
    box.current?.focus();
  }, [dictated, text, caret, onText, box]);
  return partial === null ? text : insertWords(text, caret, partial).text;
}
