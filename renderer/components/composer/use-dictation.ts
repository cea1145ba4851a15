import type { RefObject } from "react";
import { flushSync } from "react-dom";
import { type Signal, useSignal } from "../../state/signal.ts";
import { insertWords } from "../../state/voice/dictation.ts";

interface DictationOptions {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** Where the words belong, in UTF-16 units. */
  caret: number;
  /** What is being said for this box; null while nothing is. */
  partial: string | null;
  /** Each utterance for it, once it is finished. */
  dictated: Signal<string>;
  onText: (text: string, caret: number) => void;
}

/**
 * Spoken words for a text box: in their place while they are said, and part of the text when they are finished.
 * @returns the text with what is being said in its place
 */
export function useDictation({ box, text, caret, partial, dictated, onText }: DictationOptions): string {
  useSignal(dictated, (words) => {
    const next = insertWords(text, caret, words);
    // At once: the next utterance goes behind this one.
    flushSync(() => onText(next.text, next.caret));
    box.current?.focus();
  });
  return partial === null ? text : insertWords(text, caret, partial).text;
}
