import { maxAskedLines } from "../../../shared/conversation/meeting.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./MeetingAsk.module.css";

const t = texts.meeting;

interface MeetingAskProps {
  /** Lines that go with the next question; null: not known yet. */
  unasked: number | null;
  /** Lines of a meeting that was chosen: they go, and no others; null: the last one is shown. */
  chosen: number | null;
  onAsk: (question: string) => void;
}

/** What one may want to know of a meeting, who answers it, and how much goes there. */
export function MeetingAsk({ unasked, chosen, onAsk }: MeetingAskProps) {
  const model = useStore(useWindowState().models.state);
  const name = model?.modelName ?? texts.common.theModel;
  return (
    <div className={styles.ask}>
      <div>
        {t.suggestions.map((question) => (
          <button key={question} type="button" className="btn small ghost" onClick={() => onAsk(question)}>
            {question}
          </button>
        ))}
      </div>
      <p data-testid="meeting-goes">
        {chosen !== null
          ? t.goesOf(Math.min(chosen, maxAskedLines), name)
          : unasked !== null && (unasked > 0 ? t.goes(unasked, name) : t.goesNone(name))}
      </p>
    </div>
  );
}
