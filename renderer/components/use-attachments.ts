import { useEffect, useState } from "react";
import { type AttachmentChoice, maxAttachments } from "../../shared/attachments.ts";
import { attachmentWords } from "../state/completion.ts";

export interface AttachmentState {
  /** Beside the next prompt. */
  chosen: readonly AttachmentChoice[];
  /** What the `@` at the end of the text may mean. */
  choices: readonly AttachmentChoice[];
  choose: (choice: AttachmentChoice) => void;
  remove: (reference: string) => void;
  /** Those that were sent are beside no further prompt. */
  forget: (sent: readonly AttachmentChoice[]) => void;
}

/** What `@` at the end of the text offers, and what was chosen of it. */
export function useAttachments(
  text: string,
  onFind: (words: string) => Promise<readonly AttachmentChoice[]>,
): AttachmentState {
  const [chosen, setChosen] = useState<readonly AttachmentChoice[]>([]);
  const [found, setFound] = useState<{ words: string; choices: readonly AttachmentChoice[] } | null>(null);
  const words = attachmentWords(text);
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
  const without = (references: readonly string[]) => (list: readonly AttachmentChoice[]) =>
    list.filter(({ reference }) => !references.includes(reference));
  const isOpen = words !== null && found?.words === words && chosen.length < maxAttachments;
  return {
    chosen,
    choices: isOpen ? without(chosen.map(({ reference }) => reference))(found.choices) : [],
    choose: (choice) => setChosen((list) => [...without([choice.reference])(list), choice]),
    remove: (reference) => setChosen(without([reference])),
    forget: (sent) => setChosen(without(sent.map(({ reference }) => reference))),
  };
}
