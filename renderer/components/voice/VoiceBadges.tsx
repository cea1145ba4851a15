import { isOn, type VoiceSnapshot } from "../../../shared/voice/voice-snapshot.ts";
import { texts } from "../../texts/texts.ts";

/** What people must know while it is so: speech leaves this computer, or is being kept. */
export function VoiceBadges({ panel }: { panel: VoiceSnapshot | null }) {
  const recordingTo = panel && isOn(panel.now) ? panel.now.recordingTo : null;
  return (
    <>
      {panel?.server != null && (
        <span className="pill amber" data-testid="speech-leaves" title={texts.voice.sentToTitle}>
          {texts.voice.sentTo(panel.server)}
        </span>
      )}
      {recordingTo !== null && (
        <span className="pill amber" data-testid="recording" title={texts.voice.recordingTitle(recordingTo)}>
          {texts.voice.recording}
        </span>
      )}
    </>
  );
}
