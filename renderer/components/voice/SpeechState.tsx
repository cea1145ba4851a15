import type { SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./SpeechState.module.css";
import { useSpokenMark } from "./use-spoken-mark.ts";

interface SpeechStateProps {
  /** null while nothing is said aloud. */
  speech: SpokenReply | null;
  platform: string | undefined;
  /** How fast it is said; null before it is known. */
  pace: number | null;
  onStop: () => void;
  onGoOn: () => void;
  onPause: () => void;
  onNext: () => void;
  onPace: (rate: number) => void;
}

const t = texts.voice;
const paces = [0.8, 1, 1.25, 1.5];

/** Says that a reply is being said aloud, and stops it, or lets it go on. */
export function SpeechState(props: SpeechStateProps) {
  const { speech, platform, pace, onStop, onGoOn, onPause, onNext, onPace } = props;
  useSpokenMark(speech?.sentence ?? null);
  if (!speech) return <span hidden data-testid="speech-state" data-state="silent" />;
  if (speech.state === "stopped") {
    return (
      <p className={styles.stopped} data-testid="speech-state" data-state="stopped">
        <Icon name="pause" size={14} />
        {texts.voice.stoppedReply}
        <button
          type="button"
          className="btn small"
          data-testid="go-on"
          onClick={onGoOn}
          title={texts.voice.goOnTitle(keyLabel(platform, "G", true))}
        >
          <Icon name="play" size={12} />
          {texts.voice.goOn}
        </button>
        <button
          type="button"
          className="btn ghost small"
          onClick={onStop}
          aria-label={texts.common.dismiss}
          title={texts.voice.endReplyTitle}
        >
          <Icon name="close" size={12} />
        </button>
      </p>
    );
  }
  const { state, sentence } = speech;
  const shown = pace !== null && !paces.includes(pace) ? [pace, ...paces] : paces;
  return (
    <p className={styles.speaking} data-testid="speech-state" data-state={state}>
      <span className={styles.what}>
        <Icon name={state === "speaking" ? "speaker" : "pause"} size={14} />
        {state === "speaking" ? t.speaking : t.paused}
      </span>
      {state === "speaking" && (
        <>
          <button type="button" className="btn ghost small" data-testid="speech-pause" onClick={onPause}>
            <Icon name="pause" size={14} />
            {t.pause}
          </button>
          <button type="button" className="btn ghost small" data-testid="speech-next" onClick={onNext}>
            <Icon name="next" size={14} />
            {t.nextSentence}
          </button>
          {pace !== null && (
            <select
              className={styles.pace}
              data-testid="speech-pace"
              aria-label={t.paceLabel}
              value={pace}
              onChange={(event) => onPace(Number(event.target.value))}
            >
              {shown.map((rate) => (
                <option key={rate} value={rate}>
                  {t.pace(rate.toFixed(rate === 1.25 ? 2 : 1))}
                </option>
              ))}
            </select>
          )}
        </>
      )}
      {sentence && (
        <span className={styles.count} data-testid="speech-sentence">
          {t.sentenceOf(sentence.number, sentence.count)}
        </span>
      )}
      <button type="button" className="btn small" onClick={onStop} title={texts.transcript.stopSpeakingTitle}>
        {texts.common.stop}
      </button>
    </p>
  );
}
