import type { VoiceSettings } from "../../../../shared/voice/voice-settings.ts";
import type { VoicePanelState } from "../../../state/voice/voice-panel-state.ts";

/** What a group of settings shows and changes. */
export interface VoiceSettingsProps {
  settings: VoiceSettings;
  set: VoicePanelState["set"];
}
