import { useEffect, useState } from "react";
import { type AttachmentChoice, maxAttachments } from "../../../shared/conversation/attachments.ts";
import type { PromptDraft } from "../../state/conversation/drafts.ts";

export interface AttachmentState {
  /** Beside the next prompt. */
  chosen: readonly AttachmentChoice[];
  /** What the `@` at the caret may mean. */
  choices: readonly AttachmentChoice[];
  /** That is still being looked up. */
  isFinding: boolean;
  choose: (choice: AttachmentChoice) => void;
  remove: (reference: string) => void;
  /** Those that were sent are beside no further prompt. */
  forget: (sent: readonly AttachmentChoice[]) => void;
}

/**
 * What an `@` offers, and what was chosen of it, which is part of the draft.
 * @param words after the `@` that is being typed; null for none
 */
export function useAttachments(
  draft: PromptDraft,
  words: string | null,
  onFind: (words: string) => Promise<readonly AttachmentChoice[]>,
): AttachmentState {
  const [chosen, setChosen] = useState(draft.attached);
  const [found, setFound] = useState<{ words: string; choices: readonly AttachmentChoice[] } | null>(null);
  useEffect(() => {
    if (words === null) return;
    let isLate = false;
    const take = (choices: readonly AttachmentChoice[]) => {
      if (!isLate) setFound({ words, choices });
    };
    onFind(words).then(take, () => take([]));
    return () => {
      isLate = true;
    };
  }, [words, onFind]);
  const change = (next: readonly AttachmentChoice[]) => {
    draft.attach(next);
    setChosen(next);
  };
  const without = (references: readonly string[]) =>
    draft.attached().filter(({ reference }) => !references.includes(reference));
  const isWanted = words !== null && chosen.length < maxAttachments;
  const isFound = found !== null && found.words === words;
  const isNew = ({ reference }: AttachmentChoice) => chosen.every((one) => one.reference !== reference);
  return {
    chosen,
    choices: isWanted && isFound ? found.choices.filter(isNew) : [],
    isFinding: isWanted && !isFound,
    choose: (choice) => change([...without([choice.reference]), choice]),
    remove: (reference) => change(without([reference])),
    forget: (sent) => {
      if (sent.length > 0) change(without(sent.map(({ reference }) => reference)));
    },
  };
}
