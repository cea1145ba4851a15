import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { maxFindChars } from "../../../../shared/conversation/find-text.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { FindState } from "../../../state/conversation/find.ts";
import { latinKey } from "../../../state/keys/latin-key.ts";
import { useStore } from "../../../state/store.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useWindowState } from "../../window/window-context.ts";
import styles from "./FindBar.module.css";
import { useFoundMarks } from "./use-found-marks.ts";

const t = texts.transcript.find;

interface FindBarProps {
  items: readonly TranscriptItem[];
  /** What has the rows. */
  log: RefObject<HTMLElement | null>;
}

/** Looks for a text in the whole conversation. Enter goes on, Shift+Enter back, Esc closes. */
export function FindBar({ items, log }: FindBarProps) {
  const { find } = useWindowState();
  const state = useStore(find.state);
  useFoundMarks(log, items, state);
  // Another conversation begins without it, and where none is shown it does not open.
  useEffect(() => find.attach(), [find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items are the occasion, not an input
  useEffect(() => find.itemsChanged(), [find, items]);
  return state && <OpenBar state={state} />;
}

function OpenBar({ state }: { state: FindState }) {
  const { find } = useWindowState();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  // Asked for once more: what stands there is to be typed over.
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && latinKey(event) === "f")
        field.current?.select();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and Esc belong to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") find.close();
    else if (event.key === "Enter" && event.target === field.current) find.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    // Esc closes the bar and stops no run.
    event.stopPropagation();
  };
  const isEmpty = state.places.length === 0;
  return (
    <search className={styles.bar} data-testid="find" onKeyDown={onKeyDown}>
      <Icon name="search" size={14} />
      <input
        ref={field}
        aria-label={t.label}
        placeholder={t.label}
        maxLength={maxFindChars}
        value={state.text}
        data-testid="find-text"
        onChange={(event) => void find.setText(event.target.value)}
      />
      <span role="status" className={styles.count} data-testid="find-count">
        {countText(state)}
      </span>
      <button
        type="button"
        className="btn icon ghost"
        aria-label={t.previous}
        title={t.previous}
        disabled={isEmpty}
        onClick={() => find.step(-1)}
      >
        <Icon name="up" size={14} />
      </button>
      <button
        type="button"
        className="btn icon ghost"
        aria-label={t.next}
        title={t.next}
        disabled={isEmpty}
        onClick={() => find.step(1)}
      >
        <Icon name="down" size={14} />
      </button>
      <button
        type="button"
        className="btn icon ghost"
        aria-label={t.close}
        title={t.close}
        onClick={find.close}
      >
        <Icon name="close" size={14} />
      </button>
    </search>
  );
}

function countText({ text, places, at, isSearching }: FindState): string {
  if (text === "") return "";
  if (isSearching) return t.searching;
  return places.length === 0 ? t.none : t.count(at + 1, places.length);
}
