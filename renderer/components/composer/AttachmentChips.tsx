import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./AttachmentChips.module.css";

const t = texts.composer;

interface AttachmentChipsProps {
  chosen: readonly AttachmentChoice[];
  onRemove: (reference: string) => void;
}

/** What goes beside the prompt that is being written. */
export function AttachmentChips({ chosen, onRemove }: AttachmentChipsProps) {
  if (chosen.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t.attached}>
      {chosen.map(({ reference, label }) => (
        <li key={reference} className={styles.chip} data-testid="attachment" title={reference}>
          <span>{label}</span>
          <button
            type="button"
            aria-label={t.removeAttachment(label)}
            title={t.removeAttachmentTitle}
            onClick={() => onRemove(reference)}
          >
            <Icon name="close" size={11} />
          </button>
        </li>
      ))}
    </ul>
  );
}
