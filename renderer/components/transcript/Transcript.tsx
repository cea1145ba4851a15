import { type ReactNode, useEffect, useRef } from "react";
import type { ConversationView, TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { useSignal } from "../../state/signal.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import { FindBar } from "./find/FindBar.tsx";
import { KeptPlace } from "./KeptPlace.tsx";
import { onMessageKey } from "./message-keys.ts";
import styles from "./Transcript.module.css";
import { TranscriptRows, useRows } from "./TranscriptRows.tsx";
import { ActivityLine } from "./tools/ActivityLine.tsx";
import { useDrawnRows } from "./use-drawn-rows.ts";
import { rowOf, useEarlier } from "./use-earlier.ts";
import { scrollAsSaid, useStickToBottom } from "./use-stick-to-bottom.ts";

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
  const rows = useRows(items);
  const isFinding = useStore(windowState.find.state) !== null;
  const isRevealing = useStore(windowState.revealed) !== null;
  const { from, drawMore } = useDrawnRows(rows, isFinding || isRevealing);
  const isWhole = from === 0;
  const drawEarlier = useEarlier({ scroller, hasEarlier: !isWhole, load: drawMore });
  const canLoad = hasEarlier && isWhole;
  const loadEarlier = useEarlier({ scroller, hasEarlier: canLoad, load: windowState.loadEarlier });
  useJumpToNewPrompt(items, jump);
  useSignal(windowState.scrollWanted, (way) => scrollAsSaid(way, scroller.current, jump));
  useReveal(view, (row) => {
    release();
    row.scrollIntoView({ block: "center" });
  });
  return (
    <div className={styles.logArea} data-pane="conversation">
      <FindBar items={items} log={scroller} />
      <div
        className={styles.log}
        data-testid="transcript"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t.conversation}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        tabIndex={0}
        onKeyDown={onMessageKey}
      >
        <div className="col" ref={content}>
          {items.length === 0 ? empty : null}
          {/* Its line stays while loaded rows are not drawn yet: without it the first row in sight would jump up. */}
          {(hasEarlier || !isWhole) && (
            <button
              type="button"
              className={`btn small ghost ${styles.earlier}`}
              onClick={isWhole ? loadEarlier : drawEarlier}
            >
              {t.loadEarlier}
            </button>
          )}
          <KeptPlace scroller={scroller} first={rows[from]?.key} />
          <TranscriptRows rows={isWhole ? rows : rows.slice(from)} onRetry={onRetry} />
          <ActivityLine
            view={view}
            modelLabel={model?.modelName ?? info?.modelLabel ?? texts.common.theModel}
          />
        </div>
      </div>
      {!isStuck && (
        <button type="button" className={`btn ${styles.jump}`} onClick={jump} title={t.jumpTitle}>
          <Icon name="chevronDown" /> {t.jump}
        </button>
      )}
    </div>
  );
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
