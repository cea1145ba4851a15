import type { SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import { texts } from "../../texts/texts.ts";

interface SpeechStateProps {
  /** null while nothing is said aloud. */
  speech: SpokenReply | null;
  onStop: () => void;
}

/** Says that a reply is being said aloud, and stops it. */
export function SpeechState({ speech, onStop }: SpeechStateProps) {
  if (!speech) return <span hidden data-testid="speech-state" data-state="silent" />;
  return (
    <p className="hint" data-testid="speech-state" data-state={speech.state}>
      {speech.state === "speaking" ? texts.voice.speaking : texts.voice.paused}{" "}
      <button type="button" className="btn small" onClick={onStop} title={texts.transcript.stopSpeakingTitle}>
        {texts.common.stop}
      </button>
    </p>
  );
}
