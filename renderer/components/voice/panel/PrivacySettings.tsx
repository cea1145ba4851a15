import type { VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";
import type { VoicePanelState } from "../../../state/voice/voice-panel-state.ts";
import { texts } from "../../../texts/texts.ts";
import { Fold, Slider, SwitchField, TextField } from "./fields.tsx";

const t = texts.voicePanel.privacy;

/** Where what is said goes, and whether anything of it is kept. */
export function PrivacySettings({ panel, set }: { panel: VoiceSnapshot; set: VoicePanelState["set"] }) {
  const { settings, recordingsFolder, server } = panel;
  const isRecording = settings["voice.record"];
  const keepDays = settings["voice.recordKeepDays"];
  return (
    <Fold title={t.title}>
      <p className="hint">{server === null ? t.here : t.sentTo(server)}</p>
      <TextField
        label={t.server}
        hint={t.serverHint}
        value={settings["voice.server"]}
        onChange={(name) => void set("voice.server", name)}
      />
      <SwitchField
        label={t.record}
        value={isRecording}
        onChange={(value) => void set("voice.record", value)}
        hint={isRecording ? t.recordOn(recordingsFolder, keepDays) : t.recordOff}
      />
      {isRecording && (
        <Slider
          label={t.keep}
          value={keepDays}
          min={0}
          max={90}
          step={1}
          format={t.days}
          onChange={(value) => void set("voice.recordKeepDays", value)}
        />
      )}
    </Fold>
  );
}
