import { use, useEffect, useEffectEvent, useRef, useState } from "react";
import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import { maxPromptChars } from "../../../../shared/ipc/route-parts.ts";
import { originIcon, originLabel } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { BegunWordsContext } from "../../approvals/begun-words.ts";
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
  /** @param conversationId that of the prompt, where another one may be shown by now */
  onEdit: (inputId: string, text: string, conversationId?: string) => unknown;
  /** It is as it was first heard again. */
  onTakeBack: (inputId: string) => void;
  /** A change was ended by a key: the keyboard would be nowhere. */
  onLeft: () => void;
}

/** The prompts that wait for their turn, the next one first. */
export function QueueList({ queue, ...actions }: QueueListProps) {
  if (queue.length === 0) return null;
  return (
    <ol className={styles.queue} aria-label={t.queued}>
      {queue.map((input, index) => (
        <QueueRow key={input.inputId} input={input} index={index} {...actions} />
      ))}
    </ol>
  );
}

type QueueRowProps = Omit<QueueListProps, "queue"> & { input: QueuedInput; index: number };

function QueueRow({ input, index, onDrop, onSend, onEdit, onTakeBack, onLeft }: QueueRowProps) {
  const { inputId, text, origin, source, repair, attachments = [] } = input;
  const [isEditing, setEditing] = useState(false);
  const conversationId = use(BegunWordsContext)?.conversationId;
  const typed = useRef<string | null>(null);
  const keep = (next: string | null) => {
    if (next !== null && next.trim() !== "" && next !== text) onEdit(inputId, next, conversationId);
  };
  // Its turn begins, or another conversation is shown: the field goes without a word.
  const onGone = useEffectEvent(() => keep(typed.current));
  useEffect(() => () => onGone(), []);
  const endEdit = () => {
    typed.current = null;
    setEditing(false);
    // Who pressed something else has the keyboard there already.
    if (document.activeElement instanceof HTMLInputElement) onLeft();
  };
  const said = text || attachments.map(({ from, choice }) => choice?.label ?? from).join(", ");
  const words = said.slice(0, 60);
  const from = originLabel(origin, source);
  return (
    <li
      data-testid="queue-item"
      data-key={inputId}
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement) typed.current = target.value;
      }}
    >
      <span className={styles.place}>{index === 0 ? t.next : t.place(index + 1)}</span>
      <span className={styles.way} role="img" aria-label={from} title={from}>
        <Icon name={originIcon(origin, source)} />
      </span>
      {isEditing ? (
        <InlineEdit
          label={t.editThis(words)}
          text={text}
          maxLength={maxPromptChars}
          onDone={(next) => {
            endEdit();
            keep(next);
          }}
          onCancel={endEdit}
        />
      ) : (
        <span className={styles.text} dir="auto" title={said.slice(0, 2000)}>
          {said.slice(0, 300)}
        </span>
      )}
      {repair && <FirstHeard repair={repair} onTakeBack={() => onTakeBack(inputId)} />}
      <button
        type="button"
        className="btn icon ghost"
        aria-label={t.editThis(words)}
        title={t.editQueuedTitle}
        onClick={() => setEditing(true)}
      >
        <Icon name="pencil" size={13} />
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
}
