import { type ReactNode, useEffect, useRef, useState } from "react";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import { linesWith } from "../../state/meeting/meeting-search.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { OverheardNotice } from "../approvals/OverheardNotice.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./MeetingBar.module.css";

const t = texts.meeting;

interface MeetingBarProps {
  lines: readonly MeetingLine[];
  /** What is said of the meeting in one line. */
  children: ReactNode;
  /** Sound is heard now. */
  isLive: boolean;
  /** Other people's words are part of the conversation. */
  isOverheard: boolean;
  words: string;
  onWords: (words: string) => void;
  /** A line that was found. */
  onFound: (id: string) => void;
  onClose: () => void;
}

/** What stands above a meeting: how much there is, the search in it, and the way out. */
export function MeetingBar(props: MeetingBarProps) {
  const { lines, children, isLive, isOverheard, words, onWords, onFound, onClose } = props;
  const windowState = useWindowState();
  const isNotesShown = useStore(windowState.meeting.isNotesShown);
  return (
    <header className={styles.bar}>
      <p>
        <b>{t.title}</b> {children}
      </p>
      {isOverheard && <OverheardNotice />}
      <Find lines={lines} words={words} onWords={onWords} onFound={onFound} />
      <span className={styles.tabs}>
        {[false, true].map((isNotes) => (
          <button
            key={String(isNotes)}
            type="button"
            className="btn small ghost"
            aria-pressed={isNotes === isNotesShown}
            data-meeting-tab={isNotes ? "notes" : "words"}
            onClick={() => windowState.meeting.isNotesShown.set(isNotes)}
          >
            {isNotes ? t.notes : t.words}
          </button>
        ))}
      </span>
      {isLive && (
        <button
          type="button"
          className="btn small"
          title={t.endTitle}
          onClick={() => void windowState.stopVoice()}
        >
          {t.end}
        </button>
      )}
      <button
        type="button"
        className="btn icon ghost"
        aria-label={t.close}
        title={t.closeTitle}
        data-testid="meeting-close"
        onClick={onClose}
      >
        <Icon name="close" size={14} />
      </button>
    </header>
  );
}

type FindProps = Pick<MeetingBarProps, "lines" | "words" | "onWords" | "onFound">;

/** Enter goes from one line that has the words to the next, with Shift to the one before; Esc empties the field. */
function Find({ lines, words, onWords, onFound }: FindProps) {
  const [place, setPlace] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { find } = useWindowState();
  const found = linesWith(lines, words);
  const look = (text: string) => {
    onWords(text);
    setPlace(null);
  };
  useEffect(() =>
    find.lend((text) => {
      if (text !== null) look(text);
      field.current?.focus();
      field.current?.select();
    }),
  );
  const go = (step: number) => {
    if (found.length === 0) return;
    const next =
      place === null ? (step > 0 ? 0 : found.length - 1) : (place + step + found.length) % found.length;
    const hit = found[next];
    setPlace(next);
    if (hit) onFound(hit.id);
  };
  return (
    <search className={styles.find}>
      <input
        ref={field}
        type="search"
        value={words}
        placeholder={t.find}
        aria-label={t.find}
        data-testid="meeting-find"
        onChange={(event) => look(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) go(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape" && words !== "") onWords("");
          else return;
          event.preventDefault();
        }}
      />
      {words.trim() !== "" && (
        <output>{place === null ? t.found(found.length) : t.foundAt(place + 1, found.length)}</output>
      )}
    </search>
  );
}
