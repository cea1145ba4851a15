import type { TurnTimings } from "../../../../shared/voice/voice-snapshot.ts";
import { duration } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.turn;

const parts = [
  "recogniseMs",
  "deliverMs",
  "requestMs",
  "firstWordsMs",
  "firstAudioMs",
] as const satisfies readonly (keyof TurnTimings)[];

/** Where the time of the last spoken turn went, from the end of speech to the reply. */
export function TurnTimes({ turn }: { turn: TurnTimings | null }) {
  if (!turn) return null;
  const known = parts.flatMap((key) => turn[key] ?? []);
  const total = known.reduce((sum, ms) => sum + ms, 0);
  return (
    <section data-testid="turn-times">
      <h3>
        {t.title} <b>{duration(total)}</b>
      </h3>
      <ul className={styles.times}>
        {parts.map((key) => {
          const [name, title] = t.parts[key];
          const ms = turn[key];
          if (ms === null && key === "firstAudioMs") return null;
          return (
            <li key={key} title={title}>
              <span>{name}</span>
              <i aria-hidden="true">
                <b style={{ width: `${total > 0 ? ((ms ?? 0) / total) * 100 : 0}%` }} />
              </i>
              <b>{ms === null ? t.unknown : duration(ms)}</b>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
