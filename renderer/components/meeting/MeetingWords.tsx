import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import type { MeetingLine } from "../../../shared/conversation/meeting.ts";
import type { SpokenWords } from "../../../shared/voice/voice-snapshot.ts";
import { cutAt } from "../../state/meeting/meeting-search.ts";
import { meetingTime } from "../../state/meeting/meeting-times.ts";
import { useSignal } from "../../state/signal.ts";
import { texts } from "../../texts/texts.ts";
import { SpokenText } from "../transcript/messages/SpokenText.tsx";
import { scrollAsSaid } from "../transcript/use-stick-to-bottom.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./MeetingWords.module.css";

const t = texts.meeting;

/** A line to bring into sight; each wish is an object of its own, so that the same line can be meant twice. */
export interface WantedLine {
  id: string;
  /** The keyboard goes there, too. */
  takesFocus: boolean;
}

interface MeetingWordsProps {
  lines: readonly MeetingLine[];
  /** What is being said; null: nothing. */
  partial: SpokenWords | null;
  wanted: WantedLine | null;
  /** Ids of the lines that an answer stands on. */
  cited: ReadonlySet<string>;
  /** Words to mark; blank: none. */
  found: string;
}

/** As near to the end as counts as being there, in CSS pixels. */
const nearPx = 48;
const usualLinePx = 34;

/** What was said, line by line. Only lines in sight are made; the end stays in sight while nobody scrolls away from it. */
export function MeetingWords({ lines, partial, wanted, cited, found }: MeetingWordsProps) {
  const scroller = useRef<HTMLOListElement>(null);
  useSignal(useWindowState().scrollWanted, (way) => scrollAsSaid(way, scroller.current));
  const isAtEnd = useRef(true);
  const last = useRef({ top: 0, height: 0 });
  const toFocus = useRef<string | null>(null);
  const count = lines.length + (partial ? 1 : 0);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualLinePx,
    getItemKey: (index) => lines[index]?.id ?? "now",
    overscan: 12,
    gap: 2,
    paddingStart: 20,
    paddingEnd: 24,
  });
  const go = useEffectEvent((id: string, takesFocus: boolean) => {
    const index = lines.findIndex((line) => line.id === id);
    if (index < 0) return;
    isAtEnd.current = false;
    if (takesFocus) toFocus.current = id;
    list.scrollToIndex(index, { align: "center" });
  });
  useEffect(() => {
    if (wanted) go(wanted.id, wanted.takesFocus);
  }, [wanted]);
  const followEnd = useEffectEvent(() => {
    if (isAtEnd.current && count > 0) list.scrollToIndex(count - 1, { align: "end" });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new words are the occasion
  useEffect(() => followEnd(), [count, partial]);
  // What stands above and below grows, too.
  useEffect(() => {
    if (!scroller.current) return;
    const size = new ResizeObserver(() => followEnd());
    size.observe(scroller.current);
    return () => size.disconnect();
  }, []);
  // The line may only be made by the rendering after the one that scrolled to it.
  useEffect(() => {
    const row =
      toFocus.current !== null &&
      scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(toFocus.current)}"]`);
    if (!row) return;
    toFocus.current = null;
    row.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    const at = target instanceof HTMLElement ? lines.findIndex(({ id }) => id === target.dataset.line) : -1;
    const next = at < 0 ? undefined : { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    const line = next === undefined ? undefined : lines.at(next === lines.length ? at : next);
    if (!line || (at === 0 && event.key === "ArrowUp")) return;
    event.preventDefault();
    list.scrollToIndex(lines.indexOf(line), { align: "auto" });
    // Where nothing scrolls nothing is rendered. A line that has the keyboard is not waited for: the keyboard may be elsewhere by then.
    const row = scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(line.id)}"]`);
    toFocus.current = row ? null : line.id;
    row?.focus({ preventScroll: true });
  };

  return (
    <ol
      ref={scroller}
      className={styles.words}
      aria-label={t.words}
      data-testid="meeting-words"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        // Only a movement upwards lets go: lines that came above, or turned out higher, move the end away as well.
        const isUp = scrollTop < last.current.top && scrollHeight === last.current.height;
        if (scrollHeight - scrollTop - clientHeight < nearPx) isAtEnd.current = true;
        else if (isUp) isAtEnd.current = false;
        last.current = { top: scrollTop, height: scrollHeight };
      }}
    >
      <li aria-hidden="true" style={{ height: list.getTotalSize() }} />
      {list.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={list.measureElement}
          data-index={index}
          data-line={lines[index]?.id}
          className={styles.at}
          style={{ transform: `translateY(${start}px)` }}
          tabIndex={-1}
          aria-setsize={count}
          aria-posinset={index + 1}
        >
          <Line
            line={lines[index]}
            partial={partial}
            cited={cited}
            found={found}
            hit={found !== "" && wanted?.takesFocus === false ? wanted.id : null}
          />
        </li>
      ))}
    </ol>
  );
}

interface LineProps extends Pick<MeetingWordsProps, "partial" | "cited" | "found"> {
  line: MeetingLine | undefined;
  /** The id of the line that the search has come to. */
  hit: string | null;
}

/** A finished line, or behind them what is being said. */
function Line({ line, partial, cited, found, hit }: LineProps) {
  if (line) {
    const { id, who, text, at } = line;
    return (
      <div
        className={styles.line}
        data-who={who}
        data-cited={cited.has(id) || undefined}
        data-hit={id === hit || undefined}
        data-testid="meeting-line"
      >
        <time dateTime={new Date(at).toISOString()}>{meetingTime(at)}</time>
        <span className={styles.who}>{t[who]}</span>
        <p>
          {cutAt(text, found).map((part, place) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their places
            place % 2 === 1 ? <mark key={place}>{part}</mark> : part,
          )}
        </p>
      </div>
    );
  }
  if (!partial) return null;
  const { who = "me", ...words } = partial;
  return (
    <div className={styles.line} data-who={who} data-testid="meeting-now">
      <span className={styles.now}>{t.now}</span>
      <span className={styles.who}>{t[who]}</span>
      <SpokenText partial={words} testId="meeting-partial" />
    </div>
  );
}
