import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { mentionParts } from "../../state/composer/mentions.ts";
import styles from "./PromptField.module.css";

interface MentionBackdropProps {
  text: string;
  beside: readonly AttachmentChoice[];
}

/** Behind the text box, with the same letters: what the text mentions is marked. */
export function MentionBackdrop({ text, beside }: MentionBackdropProps) {
  const parts = mentionParts(text, beside);
  if (!parts.some(({ isMention }) => isMention)) return null;
  return (
    <div className={styles.backdrop} aria-hidden="true" data-testid="mentions">
      {parts.map(({ text: words, isMention, start }) =>
        isMention ? <mark key={start}>{words}</mark> : <span key={start}>{words}</span>,
      )}
    </div>
  );
}
