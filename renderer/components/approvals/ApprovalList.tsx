import { type KeyboardEvent, useEffect, useRef } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import { texts } from "../../texts/texts.ts";
import { ApprovalCard, type ApprovalItem } from "./ApprovalCard.tsx";
import styles from "./ApprovalList.module.css";

const t = texts.approvals;

interface ApprovalListProps {
  items: readonly TranscriptItem[];
  /** The user asks for the keyboard to go here; what comes by itself never takes it. */
  focusWanted?: Signal | undefined;
  /** The microphone is heard. */
  isListening?: boolean;
}

/** All that waits for the user's word, oldest first. Arrow keys go from one to the next. */
export function ApprovalList({ items, focusWanted, isListening = false }: ApprovalListProps) {
  const waiting = items.filter(isWaiting);
  const list = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>("section") ?? [])];

  useSignal(focusWanted, () => {
    const [first] = cards();
    first?.focus();
    return first !== undefined;
  });

  // An answered card takes the focus away with it. The list gets it, and no card: a second press of the same key must
  // not answer what nobody has looked at.
  useEffect(() => {
    if (hadFocus.current && waiting.length > 0 && document.activeElement === document.body) {
      list.current?.focus();
    }
  }, [waiting.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const all = cards();
    const at = event.target instanceof HTMLElement ? all.indexOf(event.target) : -1;
    const isOnList = event.target === list.current;
    if (step === 0 || (at < 0 && !isOnList)) return;
    if (isOnList) all.at(step > 0 ? 0 : -1)?.focus();
    else all[(at + step + all.length) % all.length]?.focus();
    event.preventDefault();
  };

  if (waiting.length === 0) return null;
  return (
    <section
      ref={list}
      className={styles.approvals}
      data-testid="approvals"
      tabIndex={-1}
      aria-label={t.countNeeded(waiting.length)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={(event) => {
        // A card that goes away with its answer blurs to nothing: that is no choice of the user's.
        if (event.relatedTarget !== null) hadFocus.current = false;
      }}
    >
      {waiting.length > 1 && <p className={styles.count}>{t.countNeeded(waiting.length)}</p>}
      <p className={styles.next} data-testid="next-hint">
        {t.nextCard}
      </p>
      {waiting.map((item) => (
        <ApprovalCard key={item.key} item={item} isListening={isListening} />
      ))}
    </section>
  );
}

const isWaiting = (item: TranscriptItem): item is ApprovalItem =>
  item.kind === "approval" && item.status === "waiting";
