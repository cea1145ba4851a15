import { type ReactNode, useEffect, useRef } from "react";
import type { ConversationView, TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { AppInfo } from "../../../shared/ipc.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Transcript.module.css";
import { TranscriptRow } from "./TranscriptRow.tsx";
import { ActivityLine } from "./tools/ActivityLine.tsx";
import { rowOf, useEarlier } from "./use-earlier.ts";
import { useStickToBottom } from "./use-stick-to-bottom.ts";

const t = texts.transcript;

interface TranscriptProps {
  view: ConversationView;
  info: AppInfo | null;
  onRetry: () => void;
  /** Shown while nothing has been said. */
  empty: ReactNode;
}

/** The conversation, newest at the end. Render with the conversation's id as key: each starts at its end. */
export function Transcript({ view, info, onRetry, empty }: TranscriptProps) {
  const windowState = useWindowState();
  const { items, hasEarlier } = view;
  const model = useStore(windowState.models.state);
  const { scroller, content, isStuck, jump, release } = useStickToBottom();
  const loadEarlier = useEarlier({ scroller, hasEarlier, load: windowState.loadEarlier });
  useJumpToNewPrompt(items, jump);
  useReveal(view, (row) => {
    release();
    row.scrollIntoView({ block: "center" });
  });
  return (
    <div className={styles.logArea}>
      <div
        className={styles.log}
        data-testid="transcript"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        tabIndex={0}
      >
        <div className="col" ref={content}>
          {items.length === 0 ? empty : null}
          {hasEarlier && (
            <button type="button" className={`btn small ghost ${styles.earlier}`} onClick={loadEarlier}>
              {t.loadEarlier}
            </button>
          )}
          {items.map((item, index) => (
            <div
              className={item.kind === "tool" ? `${styles.item} ${styles.toolRow}` : styles.item}
              data-row={item.key}
              key={item.key}
            >
              <TranscriptRow item={item} isReplyEnd={isReplyEnd(items, index)} onRetry={onRetry} />
            </div>
          ))}
          <ActivityLine
            view={view}
            modelLabel={model?.modelName ?? info?.modelLabel ?? texts.common.theModel}
          />
        </div>
      </div>
      {!isStuck && (
        <button type="button" className={`btn ${styles.jump}`} onClick={jump} title={t.jumpTitle}>
          <Icon name="down" size={14} /> {t.jump}
        </button>
      )}
    </div>
  );
}

/** Whether nothing more of the reply follows this item. */
function isReplyEnd(items: readonly TranscriptItem[], index: number): boolean {
  if (items[index]?.kind !== "assistant") return false;
  for (let next = index + 1; next < items.length; next++) {
    const item = items[next];
    if (item?.kind === "user" && item.origin !== "steering") return true;
    if (item?.kind === "assistant" || item?.kind === "tool" || item?.kind === "user") return false;
  }
  return true;
}

/** Whoever asks wants to see the answer, wherever they had scrolled to; not so when another branch is shown. */
function useJumpToNewPrompt(items: readonly TranscriptItem[], jump: () => void): void {
  const last = items.findLast(({ kind }) => kind === "user")?.key;
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    const known = before.current;
    before.current = last;
    if (last === undefined || last === known) return;
    if (known === undefined || items.some(({ key }) => key === known)) jump();
  }, [last, items, jump]);
}

/** Brings the item that the window wants seen into sight, and marks it for a moment. */
function useReveal(view: ConversationView, show: (row: HTMLElement) => void): void {
  const windowState = useWindowState();
  const revealed = useStore(windowState.revealed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wish is the occasion, the view what it may wait for
  useEffect(() => {
    const row = revealed && rowOf(document.body, revealed.key);
    if (!row) return;
    windowState.revealed.set(null);
    show(row);
    row.dataset.found = "";
    row.addEventListener("animationend", () => delete row.dataset.found, { once: true });
  }, [revealed, view.items]);
}
