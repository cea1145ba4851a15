import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import { originLabel } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "./QueueList.module.css";

const t = texts.composer;

interface HeldListProps {
  held: readonly QueuedInput[];
  onSend: (inputId: string) => void;
  onEdit: (inputId: string) => void;
  onDrop: (inputId: string) => void;
}

/** Prompts that a stop, a crash or a quit left waiting: they run when the user says so, never by themselves. */
export function HeldList({ held, onSend, onEdit, onDrop }: HeldListProps) {
  if (held.length === 0) return null;
  return (
    <section className={styles.held} aria-label={t.left}>
      <h2>{t.left}</h2>
      <ol className={styles.queue}>
        {held.map(({ inputId, text, origin, source }) => {
          const words = text.slice(0, 60);
          return (
            <li key={inputId} data-testid="held-item" data-key={inputId}>
              <span className={styles.text} dir="auto" title={text.slice(0, 2000)}>
                {text.slice(0, 300)}
              </span>
              <span className={styles.from}>{originLabel(origin, source)}</span>
              <button
                type="button"
                className="btn small"
                aria-label={t.sendThis(words)}
                onClick={() => onSend(inputId)}
              >
                {texts.common.send}
              </button>
              <button
                type="button"
                className="btn small ghost"
                aria-label={t.editThis(words)}
                title={t.editTitle}
                onClick={() => onEdit(inputId)}
              >
                {texts.common.edit}
              </button>
              <button
                type="button"
                className="btn small ghost"
                aria-label={t.removeThis(words)}
                onClick={() => onDrop(inputId)}
              >
                {texts.common.remove}
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
