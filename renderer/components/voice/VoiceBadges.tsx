import { isOn, type VoiceSnapshot } from "../../../shared/voice/voice-snapshot.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";

/** What people must know while it is so: speech leaves this computer, or is being kept. */
export function VoiceBadges({ panel }: { panel: VoiceSnapshot | null }) {
  const recordingTo = panel && isOn(panel.now) ? panel.now.recordingTo : null;
  return (
    <>
      {panel?.server != null && (
        <span className="pill" data-testid="speech-leaves" title={texts.voice.sentToTitle}>
          <Icon name="open" size={12} />
          {texts.voice.sentTo(panel.server)}
        </span>
      )}
      {recordingTo !== null && (
        <span className="pill" data-testid="recording" title={texts.voice.recordingTitle(recordingTo)}>
          <span className="dot bad" />
          {texts.voice.recording}
        </span>
      )}
    </>
  );
}
