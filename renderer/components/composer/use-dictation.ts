import type { RefObject } from "react";
import type { PromptDraft } from "../../state/conversation/drafts.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import { insertWords } from "../../state/voice/dictation.ts";

interface DictationOptions {
  box: RefObject<HTMLTextAreaElement | null>;
  draft: Pick<PromptDraft, "get">;
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
export function useDictation(options: DictationOptions): string {
  const { box, draft, text, caret, partial, dictated, onText } = options;
  useSignal(dictated, (said) => {
    // Of two in one moment the first is in the draft, and not in what was rendered.
    const next = insertWords(draft.get(), caret, said);
    onText(next.text, next.caret);
    box.current?.focus();
  });
  return partial === null ? text : insertWords(text, caret, partial).text;
}
