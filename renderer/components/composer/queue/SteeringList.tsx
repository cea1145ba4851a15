import type { ConversationView } from "../../../../shared/conversation/transcript.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "./QueueList.module.css";

const t = texts.composer;

/** The user's words that enter the running turn before its next step. */
export function SteeringList({ steering }: Pick<ConversationView, "steering">) {
  if (steering.length === 0) return null;
  return (
    <ol className={styles.queue} aria-label={t.steering}>
      {steering.map(({ steeringId, text }) => (
        <li key={steeringId} data-testid="steering-item" data-key={steeringId}>
          <span className={styles.place}>{t.steers}</span>
          <span className={styles.text} dir="auto">
            {text.slice(0, 300)}
          </span>
          <span className={styles.from}>{t.atNextStep}</span>
        </li>
      ))}
    </ol>
  );
}
