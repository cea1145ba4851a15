import { Choice, Fold, TextField } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";

const ways = [
  ["off", "whenever you speak"],
  ["hold", "while a key is held"],
  ["tap", "between two taps of a key"],
] as const;

/** Whether a key decides what is heard. `talkHint`: how, or why not as wished; null without a key. */
export function TalkSettings({ settings, set, talkHint }: VoiceSettingsProps & { talkHint: string | null }) {
  const way = settings["voice.pushToTalk"];
  return (
    <Fold title="When you are heard">
      <Choice
        label="Heard"
        value={way}
        options={ways}
        onChange={(value) => void set("voice.pushToTalk", value)}
      />
      {way !== "off" && (
        <TextField
          label="Key"
          hint="Such as F9, CtrlRight or Ctrl+Alt+Space; it works in whichever program you are"
          value={settings["voice.pushToTalkKey"]}
          onChange={(key) => void set("voice.pushToTalkKey", key)}
        />
      )}
      {way === "off" && (
        <TextField
          label="Wake phrase"
          hint="Nothing is written down until it is said; leave it empty to be heard at once"
          value={settings["voice.wakePhrase"]}
          mayBeBlank
          onChange={(phrase) => void set("voice.wakePhrase", phrase)}
        />
      )}
      {talkHint !== null && <p className="hint">{talkHint}</p>}
    </Fold>
  );
}
