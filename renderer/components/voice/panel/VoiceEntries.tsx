import type { VoiceEntry } from "../../../../shared/voice/voice-snapshot.ts";
import { originLabel, ruleLabel, timeOfDaySeconds } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { CodeWords } from "../../ui/CodeWords.tsx";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.entries;

interface VoiceEntriesProps {
  /** Oldest first. */
  entries: readonly VoiceEntry[];
  onSendAnyway: (droppedId: string) => void;
}

/** What happened lately, the newest first: every utterance with what became of it, and every change. */
export function VoiceEntries({ entries, onSendAnyway }: VoiceEntriesProps) {
  return (
    <section>
      <h3>{t.title}</h3>
      {entries.length === 0 ? (
        <p className={styles.quiet}>{t.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <ol className={styles.entries} data-testid="voice-entries" tabIndex={0} aria-label={t.label}>
          {entries.toReversed().map((entry) => (
            <Entry key={entry.id} entry={entry} onSendAnyway={onSendAnyway} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Entry({ entry, onSendAnyway }: { entry: VoiceEntry; onSendAnyway: (id: string) => void }) {
  const { kind, at, text, source, dropped, droppedId, confidence } = entry;
  const rule = kind === "utterance" ? ruleLabel(entry) : null;
  const isUnsure = kind === "utterance" && confidence != null && confidence < 0.6;
  return (
    <li
      className={dropped === undefined ? undefined : styles.dropped}
      data-kind={kind}
      data-testid="voice-entry"
    >
      <time dateTime={new Date(at).toISOString()}>{timeOfDaySeconds(at)}</time>
      <div>
        <p dir="auto">{kind === "utterance" ? t.quoted(text) : <CodeWords text={text} />}</p>
        {rule !== null && (
          <p className={styles.rule}>
            {source !== null && source !== "microphone" && t.from(originLabel("voice", source))}
            {rule}
            {isUnsure && t.confidence(Math.round(confidence * 100))}
          </p>
        )}
      </div>
      {droppedId !== undefined && (
        <button
          type="button"
          className="btn small ghost"
          title={texts.transcript.sendAnywayTitle}
          onClick={() => onSendAnyway(droppedId)}
        >
          {texts.common.send}
        </button>
      )}
    </li>
  );
}
