import { announcer } from "./en/announcer.ts";
import { approvals } from "./en/approvals.ts";
import { common } from "./en/common.ts";
import { composer } from "./en/composer.ts";
import { keys } from "./en/keys.ts";
import { meeting } from "./en/meeting.ts";
import { palette } from "./en/palette.ts";
import { panel } from "./en/panel.ts";
import { quick } from "./en/quick.ts";
import { rewind } from "./en/rewind.ts";
import { servers } from "./en/servers.ts";
import { sessions } from "./en/sessions.ts";
import { setUp } from "./en/set-up.ts";
import { settingsPage } from "./en/settings.ts";
import { transcript } from "./en/transcript.ts";
import { voice } from "./en/voice.ts";
import { voicePanel } from "./en/voice-panel.ts";
import { mainWindow } from "./en/window.ts";

/** All texts of the windows, by the part that shows them. */
export const en = {
  announcer,
  approvals,
  common,
  composer,
  keys,
  meeting,
  palette,
  panel,
  quick,
  rewind,
  servers,
  sessions,
  setUp,
  settingsPage,
  transcript,
  voice,
  voicePanel,
  window: mainWindow,
};
