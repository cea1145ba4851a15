import type { KeyboardEvent } from "react";
import type { QueuedInput } from "../../../../shared/conversation/events.ts";
import { originLabel } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { useBegunWords } from "../../approvals/begun-words.ts";
import { FirstHeard } from "../../ui/FirstHeard.tsx";
import edit from "../../ui/InlineEdit.module.css";
import { useNow } from "../../ui/use-now.ts";
import styles from "./QueueList.module.css";

const t = texts.composer;

interface ReviewListProps {
  /** Spoken prompts that are held. */
  heard: readonly QueuedInput[];
  onSend: (inputId: string) => void;
  /** Also stops it from being sent by itself. @returns false when it was sent already */
  onEdit: (inputId: string, text: string) => Promise<boolean>;
  onDrop: (inputId: string) => void;
  /** It is as it was first heard again. */
  onTakeBack: (inputId: string) => void;
}

/** What was heard, to be corrected before it is sent. Whoever puts the cursor into it has all the time they want. */
export function ReviewList({ heard, ...actions }: ReviewListProps) {
  if (heard.length === 0) return null;
  return (
    <section className={`${styles.held} ${styles.review}`} aria-label={t.heard}>
      <h2>{t.heard}</h2>
      <ol className={styles.queue}>
        {heard.map((input) => (
          <ReviewRow key={input.inputId} input={input} {...actions} />
        ))}
      </ol>
    </section>
  );
}

type ReviewRowProps = Omit<ReviewListProps, "heard"> & { input: QueuedInput };

function ReviewRow({ input, onSend, onEdit, onDrop, onTakeBack }: ReviewRowProps) {
  const { inputId, text, origin, source, sendsAt, repair } = input;
  const [draft, setDraft] = useBegunWords(`heard ${inputId}`);
  const words = text.slice(0, 60);
  const send = async () => {
    if (draft !== null && draft.trim() !== text && !(await onEdit(inputId, draft.trim() || text))) return;
    onSend(inputId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") void send();
    else if (event.key === "Escape") setDraft(text);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li data-testid="review-item" data-key={inputId}>
      <input
        className={edit.inlineEdit}
        aria-label={t.correct(words)}
        dir="auto"
        value={draft ?? text}
        onFocus={() => {
          setDraft(draft ?? text);
          if (sendsAt !== undefined) void onEdit(inputId, text);
        }}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {repair && draft === null && <FirstHeard repair={repair} onTakeBack={() => onTakeBack(inputId)} />}
      {sendsAt !== undefined && <Countdown sendsAt={sendsAt} />}
      <span className={styles.from}>{originLabel(origin, source)}</span>
      <button
        type="button"
        className="btn small"
        aria-label={t.sendThis(words)}
        title={t.sendHeardTitle}
        onClick={() => void send()}
      >
        {texts.common.send}
      </button>
      <button
        type="button"
        className="btn small ghost"
        aria-label={t.removeThis(words)}
        title={t.removeHeardTitle}
        onClick={() => onDrop(inputId)}
      >
        {texts.common.remove}
      </button>
    </li>
  );
}

function Countdown({ sendsAt }: { sendsAt: number }) {
  const seconds = Math.max(0, Math.ceil((sendsAt - useNow()) / 1000));
  return (
    <span className={styles.place} data-testid="countdown">
      {t.sendsIn(seconds)}
    </span>
  );
}
