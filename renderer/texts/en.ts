import { approvals } from "./en/approvals.ts";
import { common } from "./en/common.ts";
import { composer } from "./en/composer.ts";
import { meeting } from "./en/meeting.ts";
import { quick } from "./en/quick.ts";
import { rewind } from "./en/rewind.ts";
import { servers } from "./en/servers.ts";
import { sessions } from "./en/sessions.ts";
import { transcript } from "./en/transcript.ts";
import { voice } from "./en/voice.ts";
import { voicePanel } from "./en/voice-panel.ts";
import { mainWindow } from "./en/window.ts";

/** All texts of the windows, by the part that shows them. */
export const en = {
  approvals,
  common,
  composer,
  meeting,
  quick,
  rewind,
  servers,
  sessions,
  transcript,
  voice,
  voicePanel,
  window: mainWindow,
};
