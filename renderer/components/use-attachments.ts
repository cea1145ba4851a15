import { useEffect, useState } from "react";
import { type AttachmentChoice, maxAttachments } from "../../shared/attachments.ts";
import type { PromptDraft } from "../state/drafts.ts";

export interface AttachmentState {
  /** Beside the next prompt. */
  chosen: readonly AttachmentChoice[];
  /** What the `@` at the caret may mean. */
  choices: readonly AttachmentChoice[];
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
    void onFind(words).then((choices) => {
      if (!isLate) setFound({ words, choices });
    });
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
  const isOpen = words !== null && found?.words === words && chosen.length < maxAttachments;
  const isNew = ({ reference }: AttachmentChoice) => chosen.every((one) => one.reference !== reference);
  return {
    chosen,
    choices: isOpen ? found.choices.filter(isNew) : [],
    choose: (choice) => change([...without([choice.reference]), choice]),
    remove: (reference) => change(without([reference])),
    forget: (sent) => {
      if (sent.length > 0) change(without(sent.map(({ reference }) => reference)));
    },
  };
}
