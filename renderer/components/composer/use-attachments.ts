import { useEffect, useState } from "react";
import { type AttachmentChoice, maxAttachments } from "../../../shared/conversation/attachments.ts";

export interface AttachmentChoices {
  /** What the `@` at the caret may mean. */
  choices: readonly AttachmentChoice[];
  /** That is still being looked up. */
  isFinding: boolean;
  /** There is nothing to attach, whatever follows the `@`. */
  isNothing: boolean;
}

/**
 * What an `@` offers.
 * @param beside what stands beside the prompt already
 * @param words after the `@` that is being typed; null for none
 */
export function useAttachments(
  beside: readonly AttachmentChoice[],
  words: string | null,
  onFind: (words: string) => Promise<readonly AttachmentChoice[]>,
): AttachmentChoices {
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
  const isWanted = words !== null && beside.length < maxAttachments;
  const isFound = found !== null && found.words === words;
  const isNew = ({ reference }: AttachmentChoice) => beside.every((one) => one.reference !== reference);
  return {
    choices: isWanted && isFound ? found.choices.filter(isNew) : [],
    isFinding: isWanted && !isFound,
    isNothing: isWanted && isFound && words === "" && found.choices.length === 0,
  };
}
