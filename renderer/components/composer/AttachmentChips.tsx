import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { Icon } from "../ui/Icon.tsx";

interface AttachmentChipsProps {
  chosen: readonly AttachmentChoice[];
  onRemove: (reference: string) => void;
}

/** What goes beside the prompt that is being written. */
export function AttachmentChips({ chosen, onRemove }: AttachmentChipsProps) {
  if (chosen.length === 0) return null;
  return (
    <ul className="chips" aria-label="Attached">
      {chosen.map(({ reference, label }) => (
        <li key={reference} className="chip" data-testid="attachment" title={reference}>
          <span>{label}</span>
          <button
            type="button"
            aria-label={`Remove ${label}`}
            title="Do not attach it"
            onClick={() => onRemove(reference)}
          >
            <Icon name="close" size={11} />
          </button>
        </li>
      ))}
    </ul>
  );
}
