import type { SpokenReply } from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";

interface SpeechStateProps {
  /** null while nothing is said aloud. */
  speech: SpokenReply | null;
  platform: string | undefined;
  onStop: () => void;
  onGoOn: () => void;
}

const labels = {
  speaking: texts.voice.speaking,
  paused: texts.voice.paused,
  stopped: texts.voice.stoppedReply,
} as const;

/** Says that a reply is being said aloud, and stops it, or lets it go on. */
export function SpeechState({ speech, platform, onStop, onGoOn }: SpeechStateProps) {
  if (!speech) return <span hidden data-testid="speech-state" data-state="silent" />;
  return (
    <p className="hint" data-testid="speech-state" data-state={speech.state}>
      {labels[speech.state]}{" "}
      {speech.state === "stopped" && (
        <button
          type="button"
          className="btn small primary"
          data-testid="go-on"
          onClick={onGoOn}
          title={texts.voice.goOnTitle(keyLabel(platform, "G", true))}
        >
          {texts.voice.goOn}
        </button>
      )}{" "}
      <button type="button" className="btn small" onClick={onStop} title={texts.transcript.stopSpeakingTitle}>
        {texts.common.stop}
      </button>
    </p>
  );
}
