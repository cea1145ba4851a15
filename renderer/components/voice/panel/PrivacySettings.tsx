import type { VoicePanelView } from "../../../../shared/voice/voice-panel.ts";
import type { VoiceDesk } from "../../../state/voice/voice-desk.ts";
import { Fold, Slider, Switch, TextField } from "./fields.tsx";

const days = (count: number) =>
  count === 0 ? "until you delete them" : `${count} ${count === 1 ? "day" : "days"}`;

/** Where what is said goes, and whether anything of it is kept. */
export function PrivacySettings({ panel, set }: { panel: VoicePanelView; set: VoiceDesk["set"] }) {
  const { settings, recordingsFolder, server } = panel;
  const isRecording = settings["voice.record"];
  const keepDays = settings["voice.recordKeepDays"];
  return (
    <Fold title="Privacy">
      <p className="hint">
        {server === null
          ? "What is said is recognised on this computer and goes nowhere else."
          : `What is said is sent to the speech server “${server}”.`}
      </p>
      <TextField
        label="Speech server"
        hint="built-in, or the name of an MCP server that hears"
        value={settings["voice.server"]}
        onChange={(name) => void set("voice.server", name)}
      />
      <Switch
        label="Keep recordings of what is heard"
        value={isRecording}
        onChange={(value) => void set("voice.record", value)}
        hint={
          isRecording
            ? `In ${recordingsFolder}, ${keepDays === 0 ? "" : "for "}${days(keepDays)}.`
            : "Off: sound is never written to disk."
        }
      />
      {isRecording && (
        <Slider
          label="Kept"
          value={keepDays}
          min={0}
          max={90}
          step={1}
          format={days}
          onChange={(value) => void set("voice.recordKeepDays", value)}
        />
      )}
    </Fold>
  );
}
