import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./MeetingAsk.module.css";
import { useMeetingCounts } from "./use-meeting-counts.ts";
import { useMeetings } from "./use-meetings.ts";

const t = texts.meeting;

/** What one may want to know of a meeting. */
export function MeetingQuestions() {
  const { submit } = useWindowState();
  return (
    <div className={styles.questions}>
      {t.suggestions.map((question) => (
        <button
          key={question}
          type="button"
          className="btn small ghost"
          onClick={() => void submit(question)}
        >
          {question}
        </button>
      ))}
    </div>
  );
}

interface MeetingGoesProps {
  conversationId: string;
  items: readonly TranscriptItem[];
}

/** How much of the meeting that is shown goes with the next question, and to whom. */
export function MeetingGoes({ conversationId, items }: MeetingGoesProps) {
  const { models, meeting } = useWindowState();
  const name = useStore(models.state)?.modelName ?? texts.common.theModel;
  const chosen = useStore(meeting.chosen);
  const meetings = useMeetings(conversationId, items);
  const one = meetings?.find(({ startedAt }) => startedAt === chosen);
  const counts = useMeetingCounts(conversationId, items, one?.startedAt);
  const isKnown = counts !== null && (chosen === null || meetings !== null);
  return (
    <span className={styles.goes} data-testid="meeting-goes" data-always="">
      {isKnown &&
        (one ? t.goesOf(counts.goes, name) : counts.goes > 0 ? t.goes(counts.goes, name) : t.goesNone(name))}
    </span>
  );
}
