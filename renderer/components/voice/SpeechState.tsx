import type { SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./SpeechState.module.css";
import { useSpokenMark } from "./use-spoken-mark.ts";

const t = texts.voice;
const paces = [0.8, 1, 1.25, 1.5];

/** How far a reply is said aloud, and the ways to pause it or to let it go on. @param speech null: nothing is said */
export function SpeechState({ speech }: { speech: SpokenReply | null }) {
  const windowState = useWindowState();
  const platform = useStore(windowState.info)?.platform;
  const pace = useStore(windowState.voicePanel.snapshot)?.settings["voice.rate"] ?? null;
  useSpokenMark(speech?.sentence ?? null);
  if (!speech) return <span hidden data-testid="speech-state" data-state="silent" />;
  if (speech.state === "stopped") {
    return (
      <p className={styles.stopped} data-testid="speech-state" data-state="stopped" data-beside="">
        <Icon name="pause" size={14} />
        {t.stoppedReply}
        <button
          type="button"
          className="btn small"
          data-testid="go-on"
          onClick={windowState.goOn}
          title={t.goOnTitle(keyLabel(platform, "G", true))}
        >
          <Icon name="play" size={12} />
          {t.goOn}
        </button>
        <button
          type="button"
          className="btn ghost small"
          onClick={() => void windowState.say("")}
          aria-label={texts.common.dismiss}
          title={t.endReplyTitle}
        >
          <Icon name="close" size={12} />
        </button>
      </p>
    );
  }
  const { state, sentence } = speech;
  const shown = pace !== null && !paces.includes(pace) ? [pace, ...paces] : paces;
  return (
    <p className={styles.speaking} data-testid="speech-state" data-state={state} data-beside="">
      {state === "paused" ? (
        <span className={styles.paused}>
          <Icon name="pause" size={14} />
          {t.paused}
        </span>
      ) : (
        <>
          <button
            type="button"
            className="btn ghost small"
            data-testid="speech-pause"
            onClick={windowState.pauseSpeech}
          >
            <Icon name="pause" size={14} />
            {t.pause}
          </button>
          <button
            type="button"
            className="btn ghost small"
            data-testid="speech-next"
            onClick={windowState.skipSentence}
          >
            <Icon name="next" size={14} />
            {t.nextSentence}
          </button>
          {pace !== null && (
            <select
              className={styles.pace}
              data-testid="speech-pace"
              aria-label={t.paceLabel}
              value={pace}
              onChange={(event) => windowState.changePace(Number(event.target.value))}
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
    </p>
  );
}
