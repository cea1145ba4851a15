import { type MeetingLine, meetingPrompts } from "../../../shared/conversation/meeting.ts";
import type { MeetingAnswer as Answer, MeetingTalk } from "../../state/meeting/meeting-talk.ts";
import { type MeetingTimes, meetingTime } from "../../state/meeting/meeting-times.ts";
import { texts } from "../../texts/texts.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { ItemMenu } from "../ui/ItemMenu.tsx";
import { useWindowState } from "../window/window-context.ts";
import { MeetingAnswer } from "./MeetingAnswer.tsx";
import styles from "./MeetingNotes.module.css";
import { MeetingOwnNotes } from "./MeetingOwnNotes.tsx";

const t = texts.meeting;

interface MeetingNotesProps {
  conversationId: string;
  /** By when it began; undefined: the conversation has one alone. */
  meeting: number | undefined;
  /** Of the last one the newest words are asked about, also those that were never asked about before it. */
  isLast: boolean;
  /** It goes on. */
  isLive: boolean;
  lines: readonly MeetingLine[];
  talk: MeetingTalk;
  times: MeetingTimes;
  /** Of the answer whose places are marked among the words. */
  markedKey: string | null;
  onMark: (answer: Answer) => void;
  /** A line to go to, by its id. */
  onGo: (id: string) => void;
}

/** The summary of a meeting, and what was asked about it. Nothing is summed up unless the user asks. */
export function MeetingNotes(props: MeetingNotesProps) {
  const { conversationId, meeting, isLast, isLive, lines, talk, times, markedKey, onMark, onGo } = props;
  const { voicePanel, library } = useWindowState();
  const { summary, asked } = talk;
  const upTo = summary && lines.findLast(({ at }) => at <= summary.at);
  return (
    <aside className={styles.notes} aria-label={t.notes} data-testid="meeting-notes">
      <div className={styles.cap}>
        <h2>{t.summary}</h2>
        {summary && summary.answer !== "" && (
          <CopyButton text={summary.answer} title={t.copySummary} isIcon />
        )}
        <ItemMenu
          label={t.export}
          icon="download"
          iconSize={14}
          className="btn small ghost"
          testId="meeting-export"
          items={[
            {
              label: t.markdown,
              title: meeting === undefined ? t.markdownTitle : t.markdownOneTitle,
              act: () => void library.export(conversationId, "md", meeting),
            },
            {
              label: t.srt,
              title: t.srtTitle,
              act: () => void library.export(conversationId, "srt", meeting),
            },
          ]}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <section className={styles.in} aria-label={t.notes} tabIndex={0}>
        <section data-testid="meeting-summary">
          {upTo && <span className={styles.upTo}>{t.upTo(meetingTime(upTo.at))}</span>}
          {summary ? (
            <AnswerText answer={summary} times={times} onGo={onGo} />
          ) : (
            <p className={styles.quiet}>{t.noSummary}</p>
          )}
        </section>
        <MeetingOwnNotes conversationId={conversationId} lines={lines} isLive={isLive} onGo={onGo} />
        {asked.length > 0 && (
          <section>
            <h2>{t.asked}</h2>
            {asked.map((one) => (
              <div key={one.key} className={styles.asked} data-testid="meeting-asked">
                <p className={styles.quiet}>
                  {one.question === meetingPrompts.ask ? t.askedWhatWasSaid : t.question(one.question)}
                </p>
                <AnswerText answer={one} times={times} onGo={onGo} />
                <Places
                  count={times.citedIn(one.answer).size}
                  isMarked={one.key === markedKey}
                  onMark={() => onMark(one)}
                />
              </div>
            ))}
          </section>
        )}
      </section>
      <div className={styles.foot}>
        <p>{t.onlyAsked}</p>
        <button
          type="button"
          className="btn small"
          title={t.summaryTitle}
          data-testid="meeting-summarise"
          disabled={summary?.isGoingOn ?? false}
          onClick={() => voicePanel.askMeeting("summary", isLast ? undefined : meeting)}
        >
          {summary ? t.sumUpAgain : t.sumUp}
        </button>
      </div>
    </aside>
  );
}

function AnswerText({ answer, times, onGo }: { answer: Answer } & Pick<MeetingNotesProps, "times" | "onGo">) {
  if (answer.answer === "")
    return <p className={styles.quiet}>{answer.isGoingOn ? t.answering : t.noAnswer}</p>;
  return <MeetingAnswer text={answer.answer} times={times} onGo={onGo} />;
}

/** How many lines an answer stands on; a press goes to them. */
function Places({ count, isMarked, onMark }: { count: number; isMarked: boolean; onMark: () => void }) {
  if (count === 0) return null;
  return (
    <button
      type="button"
      className={`btn small ghost ${styles.places}`}
      aria-pressed={isMarked}
      onClick={onMark}
    >
      {isMarked ? t.placesMarked(count) : t.markPlaces(count)}
    </button>
  );
}
