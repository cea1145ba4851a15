import { texts } from "../../../texts/texts.ts";
import { Choice, Fold, TextField } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";

const t = texts.voicePanel.talk;

const ways = [
  ["off", t.modes.off],
  ["hold", t.modes.hold],
  ["tap", t.modes.tap],
] as const;

/** Whether a key decides what is heard. `talkHint`: how, or why not as wished; null without a key. */
export function TalkSettings({ settings, set, talkHint }: VoiceSettingsProps & { talkHint: string | null }) {
  const way = settings["voice.pushToTalk"];
  return (
    <Fold title={t.title}>
      <Choice
        label={t.listens}
        value={way}
        options={ways}
        onChange={(value) => void set("voice.pushToTalk", value)}
      />
      {way !== "off" && (
        <TextField
          label={t.key}
          hint={t.keyHint}
          value={settings["voice.pushToTalkKey"]}
          onChange={(key) => void set("voice.pushToTalkKey", key)}
        />
      )}
      {way === "off" && (
        <TextField
          label={t.wakePhrase}
          hint={t.wakePhraseHint}
          value={settings["voice.wakePhrase"]}
          mayBeBlank
          onChange={(phrase) => void set("voice.wakePhrase", phrase)}
        />
      )}
      {talkHint !== null && <p className="hint">{talkHint}</p>}
    </Fold>
  );
}
