import type { VoiceSettings } from "../../../../shared/voice/voice-settings.ts";
import type { VoiceDesk } from "../../../state/voice/voice-desk.ts";

/** What a group of settings shows and changes. */
export interface VoiceSettingsProps {
  settings: VoiceSettings;
  set: VoiceDesk["set"];
}
