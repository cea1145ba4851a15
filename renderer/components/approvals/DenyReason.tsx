import { texts } from "../../texts/texts.ts";
import styles from "../ui/Card.module.css";

const t = texts.approvals;

interface DenyReasonProps {
  /** What stood there when it was left comes back with it. */
  reason: string;
  onChange: (reason: string) => void;
  onDeny: (reason: string) => void;
  onCancel: () => void;
}

/** A no, and why: the model reads it. Esc goes back to the choice. */
export function DenyReason({ reason, onChange, onDeny, onCancel }: DenyReasonProps) {
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for this box
        autoFocus
        data-testid="deny-reason"
        aria-label={t.reason}
        placeholder={t.reasonPlaceholder}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // While an input method composes, Esc belongs to it.
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onCancel();
        }}
      />
      <button type="submit" className="btn">
        {texts.common.deny}
      </button>
    </form>
  );
}
