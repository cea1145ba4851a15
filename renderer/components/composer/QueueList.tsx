import { useState } from "react";
import type { QueuedInput } from "../../../shared/conversation/events.ts";
import { maxPromptChars } from "../../../shared/ipc.ts";
import { originLabel } from "../../state/conversation/wording.ts";
import { Icon } from "../ui/Icon.tsx";
import { InlineEdit } from "../ui/InlineEdit.tsx";

interface QueueListProps {
  queue: readonly QueuedInput[];
  onDrop: (inputId: string) => void;
  /** Says its words into the running turn. */
  onSend: (inputId: string) => void;
  onEdit: (inputId: string, text: string) => unknown;
}

/** The prompts that wait for their turn, the next one first. */
export function QueueList({ queue, onDrop, onSend, onEdit }: QueueListProps) {
  const [editing, setEditing] = useState<string | null>(null);
  if (queue.length === 0) return null;
  return (
    <ol className="queue" aria-label="Waiting prompts">
      {queue.map(({ inputId, text, origin, source }, index) => {
        const words = text.slice(0, 60);
        return (
          <li key={inputId} data-testid="queue-item" data-key={inputId}>
            <span className="place">{index === 0 ? "Next" : `${index + 1}.`}</span>
            {editing === inputId ? (
              <InlineEdit
                label={`Change: ${words}`}
                text={text}
                maxLength={maxPromptChars}
                onDone={(next) => {
                  setEditing(null);
                  if (next.trim() !== "" && next !== text) onEdit(inputId, next);
                }}
                onCancel={() => setEditing(null)}
              />
            ) : (
              <span className="text" title={text.slice(0, 2000)}>
                {text.slice(0, 300)}
              </span>
            )}
            <span className="from">{originLabel(origin, source)}</span>
            <button
              type="button"
              className="btn icon ghost"
              aria-label={`Change: ${words}`}
              title="Change its words"
              onClick={() => setEditing(inputId)}
            >
              <Icon name="edit" size={13} />
            </button>
            {source !== "loopback" && (
              <button
                type="button"
                className="btn icon ghost"
                aria-label={`Send now: ${words}`}
                title="Send now: say it into the running turn"
                onClick={() => onSend(inputId)}
              >
                <Icon name="send" size={13} />
              </button>
            )}
            <button
              type="button"
              className="btn icon ghost"
              aria-label={`Drop: ${words}`}
              title="Drop this prompt (Enter, while focused)"
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
