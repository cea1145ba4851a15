import { useState } from "react";
import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import { maxPromptChars } from "../../../../shared/ipc.ts";
import { originLabel } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { FirstHeard } from "../../ui/FirstHeard.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { InlineEdit } from "../../ui/InlineEdit.tsx";
import styles from "./QueueList.module.css";

const t = texts.composer;

interface QueueListProps {
  queue: readonly QueuedInput[];
  onDrop: (inputId: string) => void;
  /** Says its words into the running turn. */
  onSend: (inputId: string) => void;
  onEdit: (inputId: string, text: string) => unknown;
  /** It is as it was first heard again. */
  onTakeBack: (inputId: string) => void;
}

/** The prompts that wait for their turn, the next one first. */
export function QueueList({ queue, onDrop, onSend, onEdit, onTakeBack }: QueueListProps) {
  const [editing, setEditing] = useState<string | null>(null);
  if (queue.length === 0) return null;
  return (
    <ol className={styles.queue} aria-label={t.queued}>
      {queue.map(({ inputId, text, origin, source, repair }, index) => {
        const words = text.slice(0, 60);
        return (
          <li key={inputId} data-testid="queue-item" data-key={inputId}>
            <span className={styles.place}>{index === 0 ? t.next : t.place(index + 1)}</span>
            {editing === inputId ? (
              <InlineEdit
                label={t.editThis(words)}
                text={text}
                maxLength={maxPromptChars}
                onDone={(next) => {
                  setEditing(null);
                  if (next.trim() !== "" && next !== text) onEdit(inputId, next);
                }}
                onCancel={() => setEditing(null)}
              />
            ) : (
              <span className={styles.text} title={text.slice(0, 2000)}>
                {text.slice(0, 300)}
              </span>
            )}
            {repair && <FirstHeard repair={repair} onTakeBack={() => onTakeBack(inputId)} />}
            <span className={styles.from}>{originLabel(origin, source)}</span>
            <button
              type="button"
              className="btn icon ghost"
              aria-label={t.editThis(words)}
              title={t.editQueuedTitle}
              onClick={() => setEditing(inputId)}
            >
              <Icon name="edit" size={13} />
            </button>
            {source !== "loopback" && (
              <button
                type="button"
                className="btn icon ghost"
                aria-label={t.sendNow(words)}
                title={t.sendNowTitle}
                onClick={() => onSend(inputId)}
              >
                <Icon name="send" size={13} />
              </button>
            )}
            <button
              type="button"
              className="btn icon ghost"
              aria-label={t.removeThis(words)}
              title={t.removeQueuedTitle}
              onClick={() => onDrop(inputId)}
            >
              <Icon name="close" size={13} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
