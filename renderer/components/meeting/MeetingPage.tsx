import { useEffect, useMemo, useRef, useState } from "react";
import { type Meeting, type MeetingRange, meetingRange } from "../../../shared/conversation/meeting.ts";
import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { meetingLanes } from "../../state/meeting/meeting-lanes.ts";
import { type MeetingAnswer, meetingTalk } from "../../state/meeting/meeting-talk.ts";
import { MeetingTimes } from "../../state/meeting/meeting-times.ts";
import { useStore } from "../../state/store.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import { MeetingBar } from "./MeetingBar.tsx";
import { MeetingLanes } from "./MeetingLanes.tsx";
import { MeetingMenu } from "./MeetingMenu.tsx";
import { MeetingNotes } from "./MeetingNotes.tsx";
import styles from "./MeetingPage.module.css";
import { MeetingWords, type WantedLine } from "./MeetingWords.tsx";
import { useMeetingLines } from "./use-meeting-lines.ts";
import { useMeetings } from "./use-meetings.ts";

const t = texts.meeting;
const none: ReadonlySet<string> = new Set();

interface MeetingPageProps {
  view: ShownView;
  onClose: () => void;
}

/** A meeting of a conversation in place of its transcript; the last one where none was chosen. */
export function MeetingPage(props: MeetingPageProps) {
  const chosen = useStore(useWindowState().meeting.chosen);
  const meetings = useMeetings(props.view.conversationId, props.view.items) ?? [];
  const range = chosen === null ? null : meetingRange(meetings, chosen);
  // The list of them is on its way.
  if (chosen !== null && !range && meetings.length === 0) return null;
  return <OneMeeting key={range?.from} {...props} meetings={meetings} range={range} />;
}

interface OneMeetingProps extends MeetingPageProps {
  /** Oldest first. */
  meetings: readonly Meeting[];
  /** null: the last one, and what is still being heard. */
  range: MeetingRange | null;
}

/** Who spoke when, the words, and what was asked of them. */
function OneMeeting({ view, onClose, meetings, range }: OneMeetingProps) {
  const windowState = useWindowState();
  const { conversationId, items } = view;
  const lines = useMeetingLines(conversationId, items, range?.before);
  const lanes = useMemo(() => meetingLanes(lines), [lines]);
  const times = useMemo(() => new MeetingTimes(lines), [lines]);
  const talk = useMemo(
    () => meetingTalk(items, range ?? sinceOf(lanes?.startedAt), view.state === "processing"),
    [items, lanes, view.state, range],
  );
  const [words, setWords] = useState("");
  const [wanted, setWanted] = useState<WantedLine | null>(null);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { now } = view.voice;
  const live = !range && isOn(now) && now.source === "both" ? now : null;
  const newest = talk.asked.at(-1);
  const marked = talk.asked.find(({ key }) => key === chosenKey) ?? newest;
  const cited = useMemo(() => (marked ? times.citedIn(marked.answer) : none), [times, marked]);
  const region = useRef<HTMLElement>(null);
  useEffect(() => region.current?.querySelector<HTMLElement>("ol")?.focus(), []);
  useNewQuestion(newest?.key, () => {
    setChosenKey(null);
    windowState.meeting.isNotesShown.set(true);
  });

  const go = (id: string, takesFocus = true) => {
    windowState.meeting.isNotesShown.set(false);
    setWanted({ id, takesFocus });
  };
  const mark = (answer: MeetingAnswer) => {
    setChosenKey(answer.key);
    const first = lines.find(({ id }) => times.citedIn(answer.answer).has(id));
    if (first) go(first.id);
  };
  const choose = (startedAt: number) => {
    const last = meetings.at(-1)?.startedAt;
    windowState.meeting.chosen.set(startedAt === last ? null : startedAt);
  };
  const sound = live && (live.recordingTo === null ? t.noSound : t.soundKept);
  return (
    <>
      <MeetingBar
        lines={lines}
        isLive={live !== null}
        isOverheard={view.isOverheard ?? false}
        words={words}
        onWords={setWords}
        onFound={(id) => go(id, false)}
        onClose={onClose}
      >
        <MeetingMenu
          meetings={meetings}
          shown={range?.from ?? meetings.at(-1)?.startedAt ?? null}
          onChoose={choose}
        />{" "}
        <span data-testid="meeting-about">{[t.lines(lines.length), sound].filter(Boolean).join(" · ")}</span>
      </MeetingBar>
      <section
        className={styles.talk}
        ref={region}
        data-pane="conversation"
        data-testid="meeting-page"
        aria-label={t.page}
      >
        {lanes && <MeetingLanes lanes={lanes} isLive={live !== null} onGo={go} />}
        <MeetingWords
          lines={lines}
          partial={live?.partial ?? null}
          wanted={wanted}
          cited={cited}
          found={words}
        />
      </section>
      <MeetingNotes
        conversationId={conversationId}
        meeting={range?.from ?? (meetings.length > 1 ? meetings.at(-1)?.startedAt : undefined)}
        isLast={!range}
        isLive={live !== null}
        lines={lines}
        talk={talk}
        times={times}
        markedKey={marked?.key ?? null}
        onMark={mark}
        onGo={go}
      />
    </>
  );
}

const sinceOf = (from = Number.POSITIVE_INFINITY): MeetingRange => ({
  from,
  before: Number.POSITIVE_INFINITY,
});

/** Calls once for each question that was not there when the page was opened. */
function useNewQuestion(key: string | undefined, onNew: () => void): void {
  const before = useRef(key);
  useEffect(() => {
    if (key === before.current) return;
    before.current = key;
    if (key !== undefined) onNew();
  });
}
