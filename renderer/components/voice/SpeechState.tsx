import type { VoiceView } from "../../../shared/conversation/transcript.ts";

interface SpeechStateProps {
  speech: VoiceView["speech"];
  onStop: () => void;
}

/** Says that a reply is being said aloud, and stops it. */
export function SpeechState({ speech, onStop }: SpeechStateProps) {
  if (!speech) return <span hidden data-testid="speech-state" data-state="silent" />;
  return (
    <p className="hint" data-testid="speech-state" data-state={speech.state}>
      {speech.state === "speaking" ? "Speaking…" : "Paused: somebody speaks."}{" "}
      <button type="button" className="btn small" onClick={onStop} title="Stop speaking">
        Stop
      </button>
    </p>
  );
}
