import { useStore } from "../../../state/store.ts";
import { voiceOf } from "../../../state/voice/speech-models.ts";
import { texts } from "../../../texts/texts.ts";
import { useWindowState } from "../../window/window-context.ts";
import { Choice, Fold, Slider, SwitchField } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";
import { useVoices } from "./use-choices.ts";

const t = texts.voicePanel.speaking;

const when = [
  ["spoken", t.whenever.spoken],
  ["always", t.whenever.always],
  ["never", t.whenever.never],
] as const;

const lengths = [
  ["short", t.lengths.short],
  ["whole", t.lengths.whole],
] as const;

const pace = (value: number) => texts.common.units.times(value.toFixed(2));
const percent = (value: number) => texts.common.units.percent(Math.round(value * 100));

/** Whether, and how, replies are said aloud. */
export function SpeakingSettings({ settings, set }: VoiceSettingsProps) {
  const { voicePanel } = useWindowState();
  const models = useStore(voicePanel.models) ?? [];
  const voice = settings["voice.voice"];
  const speakers = models.find((model) => voiceOf(model) === voice)?.speakers ?? 1;
  const voices = useVoices();
  return (
    <Fold title={t.title} onOpen={() => void voicePanel.loadModels()}>
      <Choice
        label={t.when}
        value={settings["voice.speak"]}
        options={when}
        onChange={(value) => void set("voice.speak", value)}
      />
      <Choice
        label={t.howLong}
        value={settings["voice.spokenLength"]}
        options={lengths}
        onChange={(value) => void set("voice.spokenLength", value)}
      />
      <Choice
        label={t.voice}
        value={voice}
        options={voices}
        onChange={(value) => void set("voice.voice", value)}
      />
      {speakers > 1 && (
        <Choice
          label={t.speaker}
          value={String(settings["voice.speaker"])}
          options={Array.from({ length: speakers }, (_, at) => [String(at), String(at + 1)] as const)}
          onChange={(number) => void set("voice.speaker", Number(number))}
        />
      )}
      {voice.startsWith("system") && <p className="hint">{t.echo}</p>}
      <Slider
        label={t.rate}
        value={settings["voice.rate"]}
        min={0.5}
        max={2}
        step={0.05}
        format={pace}
        onChange={(value) => void set("voice.rate", value)}
      />
      <Slider
        label={t.volume}
        value={settings["voice.volume"]}
        min={0}
        max={1}
        step={0.05}
        format={percent}
        onChange={(value) => void set("voice.volume", value)}
      />
      <SwitchField
        label={t.chime}
        value={settings["voice.chime"]}
        onChange={(value) => void set("voice.chime", value)}
      />
    </Fold>
  );
}
